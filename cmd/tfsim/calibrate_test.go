package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device"
)

// Kept costs are found by device, weights, slots and threads.
func TestCalibrated(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	info := &device.Info{StateKey: "a device with weights"}
	none, err := calibrated(info, 1)
	require.NoError(t, err)
	require.Nil(t, none)
	table, err := costmodel.Open("m5-ultra-512gb")
	require.NoError(t, err)
	file, err := costsFile(info, 1)
	require.NoError(t, err)
	require.NoError(t, canKeepCosts(file))
	left, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	require.Empty(t, left, "what is tried leaves nothing")
	require.NoError(t, writeCosts(file, table))
	got, err := calibrated(info, 1)
	require.NoError(t, err)
	require.Equal(t, table.Machine, got.Machine)
	none, err = calibrated(info, 2)
	require.NoError(t, err)
	require.Nil(t, none)
	require.NoError(t, os.WriteFile(file, []byte("machine: 3"), 0o600))
	_, err = calibrated(info, 1)
	require.ErrorContains(t, err, filepath.Base(file))
}

func TestCalibrateErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	none := []string{"--model", filepath.Join(dir, "none.gguf"), "--out"}
	for want, args := range map[string][]string{
		"not a folder": append(none, filepath.Join(file, "costs.yaml")),
		"--out: no folder " + filepath.Join(dir, "some", "missing") + "\n": append(none, filepath.Join(dir, "some", "missing", "costs.yaml")),
		"a directory":   append(none, dir),
		"no such file":  append(none, filepath.Join(dir, "costs.yaml")),
		"give --model":  nil,
		"--budget 0s":   {"--model", "x", "--budget", "0"},
		"unknown flag:": {"--speed", "2"},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, 2, Execute(append([]string{"calibrate"}, args...), &out, &errs), want)
		require.Contains(t, errs.String(), want)
		require.Equal(t, 1, bytes.Count(errs.Bytes(), []byte("\n")), errs.String())
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "no table is left half written")
}

// A device of one or two slots has its rounds told once.
func TestPrintCosts(t *testing.T) {
	table, err := costmodel.Open("m5-ultra-512gb")
	require.NoError(t, err)
	for most, want := range map[int]int{1: 1, 2: 2, 4: 3} {
		var out bytes.Buffer
		cmd := newCalibrateCmd(&options{})
		cmd.SetOut(&out)
		table.Limits.Windows = most
		require.NoError(t, printCosts(cmd, table, []string{"costs.yaml"}))
		require.Equal(t, want, strings.Count(out.String(), "round of"), out.String())
	}
}
