package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// searched is a search that takes a second or more.
var searched = []string{
	"tune", besideShort, "--objective", "min done_s(reply)", "--subject-to", "ttft_s(long) <= 1.05 * base", "--budget", "6000", "--json",
}

// linesOf is the number of whole lines of a file, 0 if there is none.
func linesOf(path string) int {
	data, _ := os.ReadFile(path)
	return bytes.Count(data, []byte("\n"))
}

// Ctrl-C keeps what is done, says so and is no success; a kill loses what was
// under way. The same command continues to the same bytes.
func TestTuneResumed(t *testing.T) {
	want, _, code := run(searched...)
	require.Equal(t, 0, code)
	journal := filepath.Join(t.TempDir(), "tune.journal")
	args := append(searched[:len(searched):len(searched)], "--resume", journal)

	begun := func(until int) (stdout, stderr string, code int) {
		cmd, out, errs := process(t, args...)
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool { return linesOf(journal) > until }, time.Minute, time.Millisecond)
		if until < 400 {
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
		} else {
			require.NoError(t, cmd.Process.Kill())
		}
		_ = cmd.Wait()
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	stdout, stderr, code := begun(1)
	require.Equal(t, exitInterrupted, code, stderr)
	require.Regexp(t, `^tfsim: interrupted[^\n]+; the same command continues with what .*tune.journal has\n$`, stderr)
	first := linesOf(journal)
	if stdout != "" {
		var answer struct {
			Verdict     string
			Environment []string
			Search      struct{ End string }
		}
		require.NoError(t, json.Unmarshal([]byte(stdout), &answer))
		require.Equal(t, "interrupted", answer.Verdict)
		require.Equal(t, "interrupted", answer.Search.End)
		require.Empty(t, answer.Environment)
	}
	_, _, code = begun(first + 400)
	require.NotEqual(t, 0, code)

	got, stderr, code := run(args...)
	require.Equal(t, 0, code, stderr)
	require.Equal(t, want, got)
	whole := linesOf(journal)
	got, _, code = run(args...)
	require.Equal(t, 0, code)
	require.Equal(t, want, got)
	require.Equal(t, whole, linesOf(journal), "nothing is played again")

	_, stderr, code = run(append(args, "--seed", "9")...)
	require.Equal(t, 2, code)
	require.Equal(t, "tfsim: --resume: "+journal+":1: it is the journal of another study: its --seed is [], here it is [\"9\"]\n", stderr)
}

// A measurement that is interrupted is no success.
func TestCapacityInterrupted(t *testing.T) {
	cmd, stdout, _ := process(t, "capacity", "../../scenarios/closed-loop.yaml", "--slo", "ttft_s p95 <= 20", "--seeds", "2000", "--progress", "always")
	errs, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	require.NoError(t, err)
	defer errs.Close()
	cmd.Stderr = errs
	said := func() string {
		data, err := os.ReadFile(errs.Name())
		require.NoError(t, err)
		return string(data)
	}
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return strings.Contains(said(), "capacity: ") }, time.Minute, 10*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	require.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode(), said())
	require.Contains(t, said(), "tfsim: interrupted: the figures are of the seeds that were done")
	require.Contains(t, stdout.String(), "note: interrupted: figures are of the seeds that were done")
}
