package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writeConfig writes a file of the tool's options and returns its path.
func writeConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "options.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// loaded returns the options that a command sees.
func loaded(t *testing.T, args ...string) options {
	t.Helper()
	o := &options{}
	_, stderr, code := runWith(o, func(*cobra.Command) error { return nil }, args...)
	require.Equal(t, 0, code, stderr)
	require.Empty(t, stderr)
	return options{Color: o.Color, Progress: o.Progress, Width: o.Width}
}

func TestOptionsByDefault(t *testing.T) {
	assert.Equal(t, options{Color: "auto", Progress: "auto"}, loaded(t))
}

func TestOptionPrecedence(t *testing.T) {
	file := writeConfig(t, "color: always\nprogress: always\nwidth: 60\n")
	assert.Equal(t, options{Color: "always", Progress: "always", Width: 60}, loaded(t, "--config", file))

	t.Setenv("TFSIM_TOOL_COLOR", "never")
	t.Setenv("TFSIM_TOOL_WIDTH", " 70 ")
	assert.Equal(t, options{Color: "never", Progress: "always", Width: 70}, loaded(t, "--config", file))
	assert.Equal(t, options{Color: "auto", Progress: "always", Width: 80},
		loaded(t, "--config", file, "--color", "auto", "--width=80"))
}

func TestBlankReadsAsUnset(t *testing.T) {
	file := writeConfig(t, "color: always\nprogress:\nwidth: ' '\n")
	t.Setenv("TFSIM_TOOL_COLOR", "")
	t.Setenv("TFSIM_TOOL_PROGRESS", "  ")
	t.Setenv("TFSIM_TOOL_CONFIG", " ")
	t.Setenv("TFSIM_TOOL_NOTHING", "")
	want := options{Color: "always", Progress: "auto"}
	assert.Equal(t, want, loaded(t, "--config", file))
	assert.Equal(t, want, loaded(t, "--config", file, "--color=", "--width", " "))
	assert.Equal(t, options{Color: "auto", Progress: "auto"}, loaded(t, "--config", ""))
	assert.Equal(t, options{Color: "auto", Progress: "auto"}, loaded(t, "--config", writeConfig(t, "# nothing\n")))
}

func TestWhereTheFileIs(t *testing.T) {
	base := t.TempDir()
	put := func(color string, at ...string) string {
		path := filepath.Join(append([]string{base}, at...)...)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte("color: "+color), 0o600))
		return path
	}
	t.Setenv("HOME", base)
	t.Setenv("XDG_CONFIG_HOME", "")
	assert.Equal(t, "auto", loaded(t).Color, "no file")
	put("always", ".config", "tfsim", "config.yaml")
	assert.Equal(t, "always", loaded(t).Color, "home")
	t.Setenv("XDG_CONFIG_HOME", "relative")
	assert.Equal(t, "always", loaded(t).Color, "a relative directory is ignored")
	put("never", "xdg", "tfsim", "config.yaml")
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(base, "xdg"))
	assert.Equal(t, "never", loaded(t).Color, "XDG_CONFIG_HOME")
	t.Setenv("TFSIM_TOOL_CONFIG", put("always", "named.txt"))
	assert.Equal(t, "always", loaded(t).Color, "TFSIM_TOOL_CONFIG")
	assert.Equal(t, "never", loaded(t, "--config", put("never", "flag.yaml")).Color, "--config")
}

func TestBadConfig(t *testing.T) {
	for _, c := range []struct{ name, text, stderr string }{
		{"unknown key", "colour: never", "FILE: colour: no such key, did you mean color?; there are color, progress, width"},
		{"nested unknown key", "output: {color: never}", "FILE: output.color: no such key; there are color, progress, width"},
		{"a scheduler's setting", "TENSORFOLD_PREFILL_ORDER: srpt",
			"FILE: tensorfold_prefill_order: no such key; there are color, progress, width"},
		{"bad word", "color: sometimes", `FILE: color: "sometimes" is not accepted; give auto, always or never`},
		{"bool", "progress: true", `FILE: progress: "true" is not accepted; give auto, always or never`},
		{"list", "color: [never]", `FILE: color: "[never]" is not accepted; give auto, always or never`},
		{"mapping", "color: {tables: never}", "FILE: color: a mapping is not accepted; give auto, always or never"},
		{"narrow", "width: 12", `FILE: width: "12" is not accepted; give 0 (the terminal's) or a whole number from 40 to 1000`},
		{"fraction", "width: 80.5", `FILE: width: "80.5" is not accepted; give 0 (the terminal's) or a whole number from 40 to 1000`},
		{"huge", "width: 99999999999999999999", ""},
		{"not YAML", "color: [", ""},
		{"twice", "color: never\ncolor: always", ""},
		{"no mapping", "never", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := writeConfig(t, c.text)
			// A flag that wins does not hide that the file is wrong.
			_, stderr, code := runWith(&options{}, func(*cobra.Command) error { return nil },
				"--config", file, "--color", "auto", "--width", "80", "--progress", "never")
			assert.Equal(t, 2, code)
			assertOneLine(t, stderr)
			assert.Contains(t, stderr, "tfsim: "+file+": ")
			if c.stderr != "" {
				assert.Equal(t, "tfsim: "+file+c.stderr[len("FILE"):]+"\n", stderr)
			}
		})
	}
}

func TestConfigThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{filepath.Join(dir, "none.yaml"), dir} {
		_, stderr, code := runWith(&options{}, func(*cobra.Command) error { return nil }, "--config", path)
		assert.Equal(t, 2, code)
		assertOneLine(t, stderr)
		assert.Contains(t, stderr, path)
	}
}

func TestBadEnvironment(t *testing.T) {
	for _, c := range []struct{ name, value, stderr string }{
		{"TFSIM_TOOL_COLOR", "sometimes", `TFSIM_TOOL_COLOR: "sometimes" is not accepted; give auto, always or never`},
		{"TFSIM_TOOL_WIDTH", "wide",
			`TFSIM_TOOL_WIDTH: "wide" is not accepted; give 0 (the terminal's) or a whole number from 40 to 1000`},
		{"TFSIM_TOOL_COLOUR", "never", "TFSIM_TOOL_COLOUR: no such option of the tool, did you mean TFSIM_TOOL_COLOR?; " +
			"there are TFSIM_TOOL_CONFIG, TFSIM_TOOL_COLOR, TFSIM_TOOL_PROGRESS, TFSIM_TOOL_WIDTH"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			_, stderr, code := runWith(&options{}, func(*cobra.Command) error { return nil }, "--color", "auto", "--width", "80")
			assert.Equal(t, 2, code)
			assert.Equal(t, "tfsim: "+c.stderr+"\n", stderr)
		})
	}
}

// Help, version and completion are how one gets out of a broken file.
func TestBrokenConfigLeavesHelp(t *testing.T) {
	t.Setenv("TFSIM_TOOL_CONFIG", writeConfig(t, "color: sometimes"))
	for _, args := range [][]string{{}, {"help"}, {"--help"}, {"version"}, {"completion", "bash"}} {
		_, stderr, code := run(args...)
		assert.Equal(t, 0, code, args)
		assert.Empty(t, stderr, args)
	}
}

func TestColorDecision(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = null.Close() })
	var buffer bytes.Buffer

	auto, always, never := &options{Color: "auto"}, &options{Color: "always"}, &options{Color: "never"}
	assert.False(t, auto.colored(&buffer))
	assert.False(t, auto.colored(null), "a device that is no terminal")
	assert.False(t, auto.colored(&output{w: null}))
	assert.True(t, always.colored(&buffer))
	assert.False(t, never.colored(&buffer))

	t.Setenv("NO_COLOR", "1")
	t.Setenv("TERM", "dumb")
	assert.True(t, always.colored(&buffer), "what was asked for wins over NO_COLOR")

	assert.True(t, (&options{Progress: "always"}).showProgress(&buffer))
	assert.False(t, (&options{Progress: "never"}).showProgress(&buffer))
	assert.False(t, (&options{Progress: "auto"}).showProgress(&buffer))

	assert.Equal(t, 72, (&options{Width: 72}).columns(&buffer))
	assert.Equal(t, 100, (&options{}).columns(&buffer))
}
