package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const besideShort = "../../scenarios/long-beside-short.yaml"

func TestTune(t *testing.T) {
	args := []string{
		"tune", besideShort, "--objective", "min done_s(reply)", "--subject-to", "ttft_s(long) <= 1.05 * base",
		"--only", "decode-share", "--only", "TF_DSV41_PREFILL_PIECES", "--budget", "1500",
	}
	stdout, stderr, code := run(args...)
	require.Equal(t, 0, code, stderr)
	require.Empty(t, stderr)
	require.Contains(t, stdout, "these settings beat the default")
	require.Contains(t, stdout, "  --decode-share 0.")
	require.Contains(t, stdout, "the whole space")

	stdout, _, code = run(append(args, "--json")...)
	require.Equal(t, 0, code)
	var answer struct {
		Verdict    string
		Flags      []string
		Candidates []struct {
			Name  string
			Value *float64
			Holds bool
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &answer))
	require.Equal(t, "recommended", answer.Verdict)
	require.Len(t, answer.Flags, 1)
	require.Equal(t, "winner", answer.Candidates[0].Name)
	require.Equal(t, "default", answer.Candidates[1].Name)
	require.Less(t, *answer.Candidates[0].Value, *answer.Candidates[1].Value/10)
}

// Where a setting changes nothing there is nothing to recommend.
func TestTuneNoDifference(t *testing.T) {
	stdout, stderr, code := run("tune", besideShort, "--objective", "min done_s(reply)", "--only", "TFSIM_STEP_ROWS", "--budget", "1000")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, stdout, "no difference: nothing that was tried beats the default")
}

func TestTuneFront(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "front.svg")
	stdout, stderr, code := run("tune", besideShort, "--pareto", "min done_s(reply)", "min ttft_s(long)",
		"--only", "decode-share", "--fix", "TFSIM_STEP_ROWS=1024", "--budget", "600", "--plot", picture)
	require.Equal(t, 0, code, stderr)
	require.Contains(t, stdout, "TFSIM_STEP_ROWS=1024")
	data, err := os.ReadFile(picture)
	require.NoError(t, err)
	require.Contains(t, string(data), "<svg")
}

func TestTuneErrors(t *testing.T) {
	least := []string{"--objective", "min done_s(reply)"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{besideShort}, "no --objective; try: tfsim tune"},
		{least, "no scenario file; try: tfsim tune"},
		{[]string{besideShort, "--objective", "min done_s("}, "--objective: column 12: the end; want a request's name"},
		{append([]string{besideShort, "--subject-to", "wall_s < 3"}, least...), `--subject-to: column 8: "<"; want <= or >=`},
		{append([]string{besideShort, "--robust", "best"}, least...), `--robust "best": want mean, worst or p1 to p99`},
		{append([]string{besideShort, "--fix", "parallel"}, least...), `--fix "parallel": want NAME=VALUE`},
		{append([]string{besideShort, "--fix", "parallel=0"}, least...), `--fix: --parallel="0": want`},
		{append([]string{besideShort, "--only", "decode-shar"}, least...), `--only decode-shar: unknown setting`},
		{append([]string{besideShort, "--budget", "0"}, least...), "--budget 0: want 1 to"},
		{append([]string{besideShort, "--budget", "x"}, least...), `--budget "x": want a whole number`},
		{append([]string{besideShort, "--seed", "-1"}, least...), `--seed "-1": want a whole number of at least 0`},
		{append([]string{besideShort, "--noise", "x"}, least...), `--noise "x": want a number`},
		{append([]string{besideShort, "--only", "decode-share="}, least...), "--only decode-share=: no value to try; want decode-share=VALUE,VALUE"},
		{[]string{besideShort, "--pareto", "min wall_s", "--pareto", "min wall_s"}, "--pareto: both objectives are of wall_s; want two metrics"},
		{append([]string{besideShort, "--noise", "3"}, least...), "--noise 3: want 0 to 2"},
		{append([]string{besideShort, "--plot", "x.svg"}, least...), "--plot draws a front; it needs --pareto"},
		{[]string{besideShort, "--pareto", "min done_s(reply)"}, "--pareto: 1 objective; want two"},
		{[]string{besideShort, "--pareto", "min wall_s, max steps", "--plot", "x.txt"}, `--plot: x.txt: no format ".txt"`},
		{append([]string{besideShort, "--case", "none"}, least...), `no case "none" in the file`},
		{append([]string{besideShort, "--machine", "none"}, least...), "none"},
		{[]string{besideShort, "--objective", "min done_s(rely)"}, `no request "rely"`},
	} {
		stdout, stderr, code := run(append([]string{"tune"}, c.args...)...)
		assert.Equal(t, 2, code, c.want)
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, c.want)
		assert.Regexp(t, `^tfsim: [^\n]+\n$`, stderr)
	}
}

func TestCapacity(t *testing.T) {
	args := []string{"capacity", "../../scenarios/closed-loop.yaml", "--slo", "ttft_s p95 <= 20", "--case", "six people", "--seeds", "2"}
	stdout, stderr, code := run(args...)
	require.Equal(t, 0, code, stderr)
	require.Contains(t, stdout, "six people, users")
	require.Contains(t, stdout, "ttft_s.p95 <= 20")
	stdout, _, code = run(append(args, "--json")...)
	require.Equal(t, 0, code)
	var report struct {
		Results []struct {
			Capacity float64
			BySeed   []float64 `json:"by_seed"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &report))
	require.Len(t, report.Results, 2)
	require.Len(t, report.Results[0].BySeed, 2)
}

func TestCapacityErrors(t *testing.T) {
	slo := []string{"--slo", "wall_s <= 3"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{slo, "0 scenario files; want one"},
		{[]string{besideShort}, "no --slo; try: tfsim capacity"},
		{[]string{besideShort, "--slo", "wall_s <= base"}, `--slo: column 11: "base"; want a number`},
		{append([]string{besideShort}, slo...), "no case has a workload"},
		{append([]string{besideShort, "--seeds", "0"}, slo...), "--seeds 0: want 1 to 10000"},
		{append([]string{besideShort, "--close", "0"}, slo...), "--close 0: want 0.001 to 0.5"},
	} {
		_, stderr, code := run(append([]string{"capacity"}, c.args...)...)
		assert.Equal(t, 2, code, c.want)
		assert.Contains(t, stderr, c.want)
	}
}
