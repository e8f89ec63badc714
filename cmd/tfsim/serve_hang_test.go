//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/llamacpp/libs"
	"github.com/tfsim/tfsim/device/remote"
)

// stopsEnv makes the test binary a device's program, which stops in its third
// round unless the file that is named is there, and makes that.
const stopsEnv = "TEST_DEVICE_STOPS"

func init() {
	file := os.Getenv(stopsEnv)
	if file == "" {
		return
	}
	var rounds atomic.Int32
	d := fake.Open(fake.Options{OnCall: func(call string) error {
		if _, err := os.Stat(file); err != nil && call == "verify" && rounds.Add(1) == 3 {
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				return err
			}
			return syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		}
		return nil
	}})
	type both struct {
		io.Reader
		io.Writer
	}
	_ = remote.Serve(d, both{os.Stdin, os.Stdout}, both{os.NewFile(3, "in"), os.NewFile(4, "out")})
	os.Exit(exitOK)
}

// A reply whose device hangs goes on with another process, as it would have.
func TestServeHang(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, libs.File("llama")), nil, 0o600))
	t.Setenv(llamacpp.ProgramEnv, os.Args[0])
	stopped := filepath.Join(dir, "stopped")
	t.Setenv(stopsEnv, stopped)
	record := filepath.Join(dir, "run.record")
	url, _, errs, stop := serving(t, "--model", demoPair+"target-q8_0.gguf", "--drafter", "none", "--llama-lib", dir,
		"--device-timeout", "1s", "--no-drafts", "--record", record)
	ask := func() string {
		resp, err := http.Post(url+"/v1/completions", "application/json",
			strings.NewReader(`{"prompt": "go on", "max_tokens": 20, "ignore_eos": true, "temperature": 0}`))
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, 200, resp.StatusCode, string(body))
		_, text, _ := strings.Cut(string(body), `"text":`)
		text, _, _ = strings.Cut(text, `,"logprobs"`)
		return text
	}
	first := ask()
	require.FileExists(t, stopped)
	require.Equal(t, ask(), first)
	require.Contains(t, httpText(t, url+"/health"), `"restarts":1`)
	require.Equal(t, 0, stop(), errs)
	require.Regexp(t, `(?m)^tfsim: \d\d:\d\d:\d\d the device was lost: .*no answer within 1s\ntfsim: \d\d:\d\d:\d\d the device is back$`, errs.String())
	for _, args := range [][]string{{"compare", record}, {"replay", record, "--set", "TF_DSV41_DRAFTS=0"}} {
		var out, wrong bytes.Buffer
		require.Equal(t, 0, Execute(args, &out, &wrong), wrong.String())
		require.Contains(t, out.String(), "the device lost a slot, or failed in it, once: simulated as if it had not\n")
	}
}

// Ctrl-C ends a doctor whose device hangs, and it is Ctrl-C that is told.
func TestDoctorInterrupted(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, libs.File("llama")), nil, 0o600))
	t.Setenv(llamacpp.ProgramEnv, os.Args[0])
	stopped := filepath.Join(dir, "stopped")
	t.Setenv(stopsEnv, stopped)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(stopped); err == nil {
				stop()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var out bytes.Buffer
	cmd := newDoctorCmd(&options{})
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SetArgs([]string{"--model", demoPair + "target-q8_0.gguf", "--drafter", "none", "--llama-lib", dir, "--exactness"})
	err := cmd.ExecuteContext(ctx)
	var e *exitError
	require.ErrorAs(t, err, &e, out.String())
	require.Equal(t, exitInterrupted, e.code, err)
}

func httpText(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(body)
}
