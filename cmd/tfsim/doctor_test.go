package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

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

	code, _, errs = run("--exactness")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "needs --model")
	code, _, _ = run("--tokens", "0")
	require.Equal(t, 2, code)
}
