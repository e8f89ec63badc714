package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/costmodel"
)

// completed gives what a shell offers for a command line's last word.
func completed(t *testing.T, args ...string) []string {
	stdout, _, code := run(append([]string{cobra.ShellCompNoDescRequestCmd}, args...)...)
	require.Equal(t, 0, code)
	lines := strings.Split(stdout, "\n")
	return lines[:len(lines)-2] // the directive and a blank
}

func TestCompletionsOfNames(t *testing.T) {
	require.Equal(t, costmodel.Library(), completed(t, "scenario", "--machine", ""))
	require.Equal(t, costmodel.Library(), completed(t, "machine", "show", ""))
	require.Equal(t, costmodel.Library(), completed(t, "machine", "fit", "--machine", ""))
	require.Equal(t, []string{"yaml", "yml"}, completed(t, "scenario", ""), "files with these ends")
	var names []string
	for _, s := range settings.All() {
		names = append(names, s.Name+"=")
	}
	require.Equal(t, names, completed(t, "scenario", "--set", ""))
	require.Contains(t, completed(t, "sc"), "scenario")
}

// Progress is for terminals, and for what takes long.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	auto := newProgress(&options{Progress: "auto"}, &out, "x")
	auto.started = time.Now().Add(-time.Minute)
	auto.step(1, 2)
	auto.clear()
	require.Empty(t, out.String())

	always := newProgress(&options{Progress: "always"}, &out, "study")
	always.step(1, 2)
	always.clear()
	require.Empty(t, out.String(), "it has only just begun")
	always.started = time.Now().Add(-time.Minute)
	always.since, always.before = always.started, 0
	always.step(1, 2)
	always.step(2, 2)
	require.Equal(t, "\rstudy: 1 of 2 runs, about 1m0s left", out.String(), "not twice within an instant")
	always.clear()
	drawn := out.String()
	require.True(t, strings.HasSuffix(drawn, " \r"))
	always.clear()
	require.Equal(t, drawn, out.String())

	stdout, stderr, code := run("scenario", written(t, "small.yaml", smallScenario))
	require.Equal(t, 0, code)
	require.NotEmpty(t, stdout)
	require.Empty(t, stderr)
}
