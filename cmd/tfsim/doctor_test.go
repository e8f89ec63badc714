package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/llamacpp/libs"
)

func TestDoctor(t *testing.T) {
	run := func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		return Execute(append([]string{"doctor"}, args...), &out, &errs), out.String(), errs.String()
	}
	code, out, errs := run("--llama-lib", t.TempDir())
	require.Equal(t, 1, code)
	require.Contains(t, out, "libraries  missing: no ")
	require.Equal(t, "tfsim: 1 thing is missing\n", errs)

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, libs.File("llama")), nil, 0o600))
	code, out, _ = run("--llama-lib", dir)
	require.Equal(t, 0, code)
	require.Contains(t, out, "libraries  "+dir)
	code, out, _ = run("--llama-lib", dir, "--model", filepath.Join(dir, "none.gguf"))
	require.Equal(t, 1, code)
	require.Contains(t, out, "model      missing: ")

	// The model is loaded as it is told to be.
	program := filepath.Join(dir, "program")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"tfsim-llama: got $*\" >&2\nexit 1\n"), 0o700))
	t.Setenv(llamacpp.ProgramEnv, program)
	code, out, _ = run("--llama-lib", dir, "--model", demoPair+"target-q8_0.gguf", "--drafter", "none", "--gpu-layers", "7", "--threads", "2", "--exact", "off")
	require.Equal(t, 1, code)
	for _, want := range []string{"-gpu-layers=7", "-threads=2", "-exact=off", "-drafter=none", "-context=456", "-slots=4"} {
		require.Contains(t, out, want)
	}

	t.Setenv(llamacpp.ProgramEnv, filepath.Join(dir, "gone"))
	code, out, _ = run("--llama-lib", dir, "--model", demoPair+"target-q8_0.gguf", "--drafter", "none")
	require.Equal(t, 1, code)
	require.Contains(t, out, "model      missing: TFSIM_LLAMA: stat "+dir)

	code, _, errs = run("--exactness")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "needs --model")
	code, _, _ = run("--tokens", "0")
	require.Equal(t, 2, code)
}
