package main

import (
	"bytes"
	"os"
	"path/filepath"
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
	require.NoError(t, keepCosts(file, table))
	got, err := calibrated(info, 1)
	require.NoError(t, err)
	require.Equal(t, table.Machine, got.Machine)
	none, err = calibrated(info, 2)
	require.NoError(t, err)
	require.Nil(t, none)
	require.NoError(t, os.WriteFile(file, []byte("machine: 3"), 0o600))
	_, err = calibrated(info, 1)
	require.ErrorContains(t, err, filepath.Base(file))
	left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".costs-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestCalibrateErrors(t *testing.T) {
	for want, args := range map[string][]string{
		"give --model":  nil,
		"--budget 0s":   {"--model", "x", "--budget", "0"},
		"no such file":  {"--model", filepath.Join(t.TempDir(), "none.gguf")},
		"unknown flag:": {"--speed", "2"},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, 2, Execute(append([]string{"calibrate"}, args...), &out, &errs), want)
		require.Contains(t, errs.String(), want)
		require.Equal(t, 1, bytes.Count(errs.Bytes(), []byte("\n")), errs.String())
	}
}
