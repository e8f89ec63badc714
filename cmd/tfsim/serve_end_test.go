//go:build unix

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/llamacpp/libs"
)

// onProgram gives the arguments of a command whose device's program is a line of
// shell. The line runs when started is called, and ended waits for the end of
// what it runs.
func onProgram(t *testing.T, line string) (args []string, started, ended func()) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, libs.File("llama")), nil, 0o600))
	// Whoever reads a pipe sees its end once nobody can write it any more.
	pipe, program := filepath.Join(dir, "pipe"), filepath.Join(dir, "program")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	require.NoError(t, os.WriteFile(program, fmt.Appendf(nil, "#!/bin/sh\nexec 9>'%s'\necho started >&9\n%s\n", pipe, line), 0o700))
	t.Setenv(llamacpp.ProgramEnv, program)
	var alive *os.File
	started = func() {
		var err error
		alive, err = os.Open(pipe)
		require.NoError(t, err)
		t.Cleanup(func() { alive.Close() })
		_, err = io.ReadFull(alive, make([]byte, len("started\n")))
		require.NoError(t, err)
	}
	ended = func() {
		_, err := io.Copy(io.Discard, alive)
		require.NoError(t, err)
	}
	return []string{"--model", demoPair + "target-q8_0.gguf", "--drafter", "none", "--llama-lib", dir}, started, ended
}

// A signal while the model loads is what is told, and nothing is left behind.
func TestInterruptedLoading(t *testing.T) {
	for _, command := range []string{"serve", "calibrate", "doctor"} {
		for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			args, started, ended := onProgram(t, "exec sleep 1000")
			cmd, _, stderr := process(t, append([]string{command}, args...)...)
			require.NoError(t, cmd.Start())
			started()
			require.NoError(t, cmd.Process.Signal(signal))
			_ = cmd.Wait()
			require.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode(), stderr)
			require.Equal(t, "tfsim: interrupted: the model was still loading\n", stderr.String())
			ended()
		}
	}
}

// hung starts a server whose device has stopped within a request.
func hung(t *testing.T) (cmd *exec.Cmd, ended func()) {
	t.Helper()
	stopped := filepath.Join(t.TempDir(), "stopped")
	args, started, ended := onProgram(t, fmt.Sprintf("exec env '%s=%s' '%s'", stopsEnv, stopped, os.Args[0]))
	args = append([]string{"serve", "--addr", "127.0.0.1:0", "--no-drafts", "--device-timeout", "0"}, args...)
	cmd, _, errs := process(t, args...)
	out := &said{}
	cmd.Stdout = out
	require.NoError(t, cmd.Start())
	started()
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "http://") }, time.Minute, time.Millisecond)
	_, url, _ := strings.Cut(out.String(), "http://")
	url, _, _ = strings.Cut(url, "/")
	go func() {
		resp, err := http.Post("http://"+url+"/v1/completions", "application/json",
			strings.NewReader(`{"prompt": "go on", "max_tokens": 20, "ignore_eos": true}`))
		if err == nil {
			resp.Body.Close()
		}
	}()
	require.Eventually(t, func() bool { _, err := os.Stat(stopped); return err == nil }, time.Minute, time.Millisecond, errs)
	return cmd, ended
}

// A second signal ends a server at once, and a device that is stopped with it.
func TestSecondSignal(t *testing.T) {
	cmd, ended := hung(t)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	require.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
	ended()
}

// A device that is stopped ends with a server that is killed.
func TestKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends a process that is stopped with its parent")
	}
	cmd, ended := hung(t)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	ended()
}

// What cannot work is told before a model is loaded, which may take minutes.
func TestServeRefusesBeforeLoading(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = taken.Close() }()
	dir := t.TempDir()
	missing, file := filepath.Join(dir, "missing"), filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for want, more := range map[string][]string{
		"--addr: ":                               {"--addr", taken.Addr().String()},
		"--record: no folder " + missing:         {"--record", filepath.Join(missing, "x.jsonl")},
		"--events: no folder " + missing:         {"--events", filepath.Join(missing, "x.jsonl")},
		"--record: " + file + " is not a folder": {"--record", filepath.Join(file, "x.jsonl")},
		"--record: " + dir + " is a directory":   {"--record", dir},
	} {
		args, _, _ := onProgram(t, "exec sleep 1000")
		cmd, _, stderr := process(t, append(append([]string{"serve"}, args...), more...)...)
		require.Error(t, cmd.Run())
		require.Equal(t, exitUsage, cmd.ProcessState.ExitCode(), stderr)
		require.Contains(t, stderr.String(), want)
	}
}
