package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHelp(t *testing.T) {
	bare, stderr, code := run()
	assert.Equal(t, 0, code)
	assert.Empty(t, stderr)
	assert.Contains(t, bare, "Exit status: 0; 1 an expectation")
	for _, args := range [][]string{{"--help"}, {"-h"}, {"help"}} {
		stdout, stderr, code := run(args...)
		assert.Equal(t, 0, code, args)
		assert.Equal(t, bare, stdout, args)
		assert.Empty(t, stderr, args)
	}
	ofVersion, _, code := run("help", "version")
	assert.Equal(t, 0, code)
	assert.Contains(t, ofVersion, "tfsim version")
	assert.NotContains(t, bare, "\x1b")
}

func TestVersion(t *testing.T) {
	stdout, stderr, code := run("version")
	assert.Equal(t, 0, code)
	assert.Empty(t, stderr)
	assert.Regexp(t, `^tfsim \S+ .*go\S+ \w+/\w+\n$`, stdout)
	flag, _, code := run("--version")
	assert.Equal(t, 0, code)
	assert.Equal(t, stdout, flag)
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		stdout, stderr, code := run("completion", shell)
		assert.Equal(t, 0, code, shell)
		assert.Empty(t, stderr, shell)
		assert.Contains(t, stdout, "tfsim", shell)
	}
	stdout, _, code := run(cobra.ShellCompNoDescRequestCmd, "version", "--color", "")
	assert.Equal(t, 0, code)
	assert.Equal(t, "auto\nalways\nnever\n:4\n", stdout)
}

func TestUsageErrors(t *testing.T) {
	for _, c := range []struct{ args, stderr string }{
		{"vrsion", `unknown command "vrsion", did you mean version?; 'tfsim --help' lists the commands`},
		{"ver", `unknown command "ver", did you mean version?; 'tfsim --help' lists the commands`},
		{"vrsion --json", `unknown command "vrsion", did you mean version?; 'tfsim --help' lists the commands`},
		{"zzz", `unknown command "zzz"; 'tfsim --help' lists the commands`},
		{"help zzz", `unknown command "zzz"; 'tfsim --help' lists the commands`},
		{"help completion bsh", `unknown command "bsh", did you mean bash?; 'tfsim completion --help' lists the commands`},
		{"completion bsh", `unknown command "bsh", did you mean bash?; 'tfsim completion --help' lists the commands`},
		{"version --colour never", `unknown flag: --colour, did you mean --color?; 'tfsim version --help' lists the flags`},
		{"--zzz", `unknown flag: --zzz; 'tfsim --help' lists the flags`},
		{"version -z", `unknown shorthand flag: 'z' in -z; 'tfsim version --help' lists the flags`},
		{"completion bash extra", `unknown command "extra" for "tfsim completion bash"`},
		{"version extra", `tfsim version takes no arguments; got "extra"`},
		{"version --color", `flag needs an argument: --color`},
		{"version --color sometimes", `invalid argument "sometimes" for "--color" flag: give auto, always or never`},
		{"version --width 39", `invalid argument "39" for "--width" flag: give 0 (the terminal's) or a whole number from 40 to 1000`},
	} {
		t.Run(c.args, func(t *testing.T) {
			stdout, stderr, code := run(strings.Fields(c.args)...)
			assert.Equal(t, 2, code)
			assert.Equal(t, "tfsim: "+c.stderr+"\n", stderr)
			assert.Empty(t, stdout)
		})
	}
}

// Every example in the help names commands and flags that there are.
func TestExamplesParse(t *testing.T) {
	var visit func(cmd *cobra.Command)
	examples := 0
	visit = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			line, _, _ = strings.Cut(line, "#")
			args := strings.Fields(line)
			if len(args) == 0 || args[0] != "tfsim" {
				continue
			}
			examples++
			root := newRoot(&options{})
			found, rest, err := root.Find(args[1:])
			require.NoError(t, err, line)
			require.NotSame(t, root, found, line)
			require.NoError(t, found.ParseFlags(rest), line)
			require.NoError(t, found.ValidateArgs(found.Flags().Args()), line)
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(&options{}))
	assert.Positive(t, examples)
}

// Every command describes itself, returns its error rather than printing it,
// and leaves the root's hook, which settles the options, in place.
func TestCommandsAreUniform(t *testing.T) {
	root := newRoot(&options{})
	for _, cmd := range commands(&options{}) {
		assert.NotEmpty(t, cmd.Short, cmd.Name())
		assert.NotEmpty(t, cmd.Example, cmd.Name())
		assert.Nil(t, cmd.Run, cmd.Name())
		assert.Nil(t, cmd.PersistentPreRunE, cmd.Name())
		assert.Nil(t, cmd.PersistentPreRun, cmd.Name())
		assert.Contains(t, root.Example, "tfsim "+cmd.Name())
	}
}

func TestClosest(t *testing.T) {
	names := []string{"scenario", "settings", "machines", "validate"}
	for given, want := range map[string]string{
		"scnario": "scenario", "SCENARIO": "scenario", "setting": "settings", "se": "settings",
		"validat": "validate", "": "", "x": "", "bananas": "",
	} {
		assert.Equal(t, want, closest(given, names), given)
	}
	assert.Equal(t, 3, distance("kitten", "sitting"))
	assert.Equal(t, 4, distance("", "four"))
	assert.Equal(t, 4, distance("four", ""))
}
