package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/costmodel"
)

func TestMachineList(t *testing.T) {
	out := ran(t, "machine", "list")
	for _, name := range costmodel.Library() {
		require.Contains(t, out, name)
	}
}

func TestMachineShow(t *testing.T) {
	for _, name := range costmodel.Library() {
		text := ran(t, "machine", "show", name)
		require.Contains(t, text, name)
		for line := range strings.Lines(ran(t, "machine", "show", "--width", "70", name)) {
			require.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\n"))), 70, line)
		}
		var table map[string]any
		require.NoError(t, json.Unmarshal([]byte(ran(t, "machine", "show", "--json", name)), &table))
		require.Equal(t, name, table["machine"])
	}
}

// A table printed as JSON is a table: it can be shown and played on.
func TestMachineFile(t *testing.T) {
	for _, name := range costmodel.Library() {
		file := written(t, "table.yaml", ran(t, "machine", "show", "--json", name))
		require.Equal(t, ran(t, "machine", "show", name), ran(t, "machine", "show", file))
	}
	file := written(t, "table.yaml", ran(t, "machine", "show", "--json", "m3-ultra-512gb"))
	small := written(t, "small.yaml", smallScenario)
	require.Equal(t, ran(t, "scenario", small), ran(t, "scenario", "--machine", file, small))
}

func TestMachineErrors(t *testing.T) {
	require.Contains(t, refused(t, "machine", "show", "m9"), "accepted: a path of a .yaml file, or ")
	require.Contains(t, refused(t, "machine", "show", "./none.yaml"), "none.yaml")
	require.Contains(t, refused(t, "machine", "show", t.TempDir()), "directory")
	require.Contains(t, refused(t, "machine", "show"), "accepts 1 arg")
	require.Contains(t, refused(t, "machine", "lst"), "did you mean list?")
	require.Contains(t, refused(t, "machine", "list", "x"), "takes no arguments")
	require.Contains(t, refused(t, "machine", "show", written(t, "x.yaml", "machine: x\n")), ":1:1: ")
}

func TestMachineFit(t *testing.T) {
	out := filepath.Join(t.TempDir(), "fitted.yaml")
	text := ran(t, "machine", "fit", "--machine", "m3-ultra-512gb", "--iterations", "1", "--out", out)
	for _, part := range []string{"rows.first", "pass.ask", "left of prior", "residuals", "median"} {
		require.Contains(t, text, part)
	}
	require.Contains(t, ran(t, "machine", "show", out), "m3-ultra-512gb")

	receipt := written(t, "r.yaml", "unit: x\nm3-ultra-512gb: {chat_T0: [28.55]}\n")
	text = ran(t, "machine", "fit", "--machine", "m3-ultra-512gb", "--iterations", "1", receipt)
	require.Contains(t, text, "not identifiable")
}

func TestMachineFitErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--iterations", "0"}, "--iterations 0: want 1 to 1000"},
		{[]string{"--machine", "m9"}, "unknown machine"},
		{[]string{"--machine", "gb10-x2"}, "no decode figures of gb10-x2"},
		{[]string{"none.yaml"}, "none.yaml"},
		{[]string{written(t, "r.yaml", "name: x\n")}, "not a receipt"},
		{[]string{written(t, "r.yaml", "unit: x\nm5-ultra-512gb: {chat_T0: [fast]}\n")}, "no figure for"},
		{[]string{"--out", t.TempDir()}, "--out: "},
		{[]string{"--out", filepath.Join(t.TempDir(), "none", "x.yaml")}, "--out: "},
	} {
		require.Contains(t, refused(t, append([]string{"machine", "fit"}, c.args...)...), c.want, c.args)
	}
}

func TestSettings(t *testing.T) {
	out := ran(t, "settings")
	require.Contains(t, out, "TENSORFOLD_PREFILL_SHARE")
	require.Contains(t, out, "--decode-share")
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(ran(t, "settings", "--json")), &list))
	require.NotEmpty(t, list)
	for _, s := range list {
		require.Subset(t, keysOf(s), []string{"name", "group", "kind", "accepted", "default", "doc"})
	}
	require.Contains(t, refused(t, "settings", "--json", "--docs"), "json")
	require.Contains(t, refused(t, "settings", "x"), "takes no arguments")
}

// --docs writes the file that the repository has.
func TestSettingsDocs(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("..", "..", "docs", "settings.md"))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.Contains(t, refused(t, "settings", "--docs"), "docs/settings.md", "there is no docs folder")
	require.NoError(t, os.Mkdir("docs", 0o700))
	require.Equal(t, "wrote docs/settings.md\n", ran(t, "settings", "--docs"))
	got, err := os.ReadFile(filepath.Join("docs", "settings.md"))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "make docs")
}

func TestValidate(t *testing.T) {
	text := ran(t, "validate")
	var report struct {
		Groups []map[string]any `json:"groups"`
	}
	require.NoError(t, json.Unmarshal([]byte(ran(t, "validate", "--json")), &report))
	var names []string
	for _, g := range report.Groups {
		require.Subset(t, keysOf(g), []string{"name", "median", "p90", "worst", "cells"})
		names = append(names, g["name"].(string))
		for _, c := range g["cells"].([]any) {
			cell := c.(map[string]any)
			require.Subset(t, keysOf(cell), []string{"id", "published", "simulated", "error", "fitted", "note"})
			require.Contains(t, text, cell["id"])
		}
	}
	require.Equal(t, []string{"fill", "decode", "cold"}, names)
	require.Contains(t, text, "unidentified and left out")
}
