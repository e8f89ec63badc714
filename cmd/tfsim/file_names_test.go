package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// No flag takes a blank file name.
func TestBlankFileNames(t *testing.T) {
	found := 0
	var look func(*cobra.Command)
	look = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !takesFile(f) {
				return
			}
			found++
			for _, blank := range []string{"", " "} {
				args := append(append([]string{}, commandWords(cmd)...), "--"+f.Name, blank)
				_, stderr, code := run(args...)
				require.Equal(t, exitUsage, code, args)
				require.Contains(t, stderr, "--"+f.Name, args)
				require.Contains(t, stderr, "want the name of a file", args)
			}
		})
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(newRoot(&options{}))
	require.Greater(t, found, 5)
}

// commandWords are the words that name a command.
func commandWords(cmd *cobra.Command) []string {
	if !cmd.HasParent() {
		return nil
	}
	return append(commandWords(cmd.Parent()), cmd.Name())
}

// A server and a calibration write over no file that they read.
func TestDistinctFilesOfModels(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"model.gguf", "draft.gguf", "keys", "table.yaml"} {
		require.NoError(t, os.WriteFile(at(name), []byte("kept"), 0o600))
	}
	pair := []string{"--model", at("model.gguf"), "--drafter", at("draft.gguf")}
	for _, args := range [][]string{
		append([]string{"serve", "--record", at("model.gguf")}, pair...),
		append([]string{"serve", "--events", at("draft.gguf")}, pair...),
		append([]string{"serve", "--record", at("x"), "--events", at("x")}, pair...),
		append([]string{"serve", "--api-key-file", at("keys"), "--record", at("keys")}, pair...),
		{"serve", "--machine", at("table.yaml"), "--record", at("table.yaml")},
		append([]string{"calibrate", "--out", at("model.gguf")}, pair...),
		append([]string{"calibrate", "--out", at("draft.gguf")}, pair...),
	} {
		_, stderr, code := run(args...)
		require.Equal(t, exitUsage, code, args)
		require.Regexp(t, `^tfsim: --(record|events|out): \S+ is (a file that is read|the file of --(record|events), too)\n$`, stderr, args)
	}
	for _, name := range []string{"model.gguf", "draft.gguf", "keys", "table.yaml"} {
		data, err := os.ReadFile(at(name))
		require.NoError(t, err)
		require.Equal(t, "kept", string(data))
	}
	// A model may draft for itself.
	_, stderr, _ := run("calibrate", "--model", at("model.gguf"), "--drafter", at("model.gguf"), "--out", at("costs.yaml"), "--llama-lib", dir)
	require.NotContains(t, stderr, "file that is read")
}

// No file is written twice or over what is read, by whatever name.
func TestDistinctFiles(t *testing.T) {
	file, dir := drawnFile(t, drawnScenario), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.Symlink(dir, at("link")))
	require.NoError(t, os.Symlink(file, at("same.yaml")))
	for _, args := range [][]string{
		{"--html", at("x"), "--trace", at("x")},
		{"--html", at("x.svg"), "--plot", dir + "/./x.svg"},
		{"--html", at("x"), "--events", at("link/x")},
		{"--trace", file},
		{"--events", at("same.yaml")},
	} {
		_, stderr, code := run(append([]string{"scenario", file}, args...)...)
		require.Equal(t, exitUsage, code, args)
		require.Regexp(t, `^tfsim: --(html|plot|trace|events): \S+ is (a file that is read|the file of --(html|plot|trace|events), too)\n$`, stderr, args)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 2, args)
	}
	// Files that others name are read, too.
	trace := "TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 00:00:01,10,5\n"
	require.NoError(t, os.WriteFile(at("t.csv"), []byte(trace), 0o600))
	require.NoError(t, os.WriteFile(at("s.yaml"), []byte("machine: m5-ultra-512gb\ncases: [{name: a, workload: {trace: t.csv}}]\n"), 0o600))
	scenario, tune := at("s.yaml"), []string{"tune", at("s.yaml"), "--pareto", "min ttft_s.p95", "--pareto", "min gap_ms.max"}
	for _, args := range [][]string{
		{"scenario", scenario, "--html", at("t.csv")},
		{"replay-trace", "--with", scenario, traced("azure-2023.csv"), "--html", at("t.csv")},
		append(tune, "--resume", at("t.csv")),
		append(tune, "--resume", at("x.svg"), "--plot", at("x.svg")),
	} {
		_, stderr, code := run(args...)
		require.Equal(t, exitUsage, code, args)
		require.Regexp(t, ` is (a file that is read|the file of --\w+, too)\n$`, stderr, args)
		left, err := os.ReadFile(at("t.csv"))
		require.NoError(t, err)
		require.Equal(t, trace, string(left), args)
	}
	_, stderr, code := run("scenario", file, "--html", os.DevNull, "--trace", os.DevNull)
	require.Equal(t, exitOK, code, stderr)
}
