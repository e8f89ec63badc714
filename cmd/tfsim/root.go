package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const rootLong = `tfsim answers what-if questions about serving a large language model to a few
people at once from one machine: what one long prompt does to every running
reply, when drafting pays, and which settings to try on the hardware first.

It runs the scheduler of the live server in virtual time, on a cost table of the
machine, so that a study of hours takes milliseconds.

Exit status: 0; 1 an expectation of a scenario did not hold; 2 bad input or
usage; 3 an internal fault; 130 ended by Ctrl-C.

The tool's own options (--color, --progress, --width) are also read from the
environment (TFSIM_TOOL_COLOR and so on) and from a YAML file of the same keys:
--config FILE, else TFSIM_TOOL_CONFIG, else tfsim/config.yaml in
$XDG_CONFIG_HOME or ~/.config. A flag wins over the environment, which wins over
the file. None of these ever changes a scenario's results. With auto, color and
progress are for terminals, and color also needs NO_COLOR unset.`

// commands lists the commands in the order in which help shows them. A command
// is a function newXCmd(o *options) *cobra.Command in a file of its own; it
// declares its Args (none are accepted where it does not), prints results to
// cmd.OutOrStdout() and messages to cmd.ErrOrStderr(), and returns its error.
// It has no PersistentPreRunE: the root's settles the options.
func commands(o *options) []*cobra.Command {
	return []*cobra.Command{
		newScenarioCmd(o),
		newReplayTraceCmd(o),
		newTuneCmd(o),
		newCapacityCmd(o),
		newWorkerCmd(o),
		newServeCmd(o),
		newDoctorCmd(o),
		newReplayCmd(o),
		newCompareCmd(o),
		newCalibrateCmd(o),
		newTopCmd(o),
		newSettingsCmd(o),
		newValidateCmd(o),
		newMachineCmd(o),
		newVersionCmd(o),
	}
}

func init() { cobra.EnableCommandSorting = false }

// newRoot builds the command tree.
func newRoot(o *options) *cobra.Command {
	root := &cobra.Command{
		Use:               "tfsim",
		Short:             "Study how one machine serves a language model to a few people at once",
		Long:              rootLong,
		Version:           version(),
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: o.load,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	o.register(root)

	for _, cmd := range commands(o) {
		root.AddCommand(cmd)
		// The root's examples are the first of each command, so that they
		// name only what there is.
		if first, _, _ := strings.Cut(strings.Trim(cmd.Example, "\n"), "\n"); first != "" {
			root.Example = strings.TrimPrefix(root.Example+"\n"+first, "\n")
		}
	}
	root.SetHelpCommand(newHelpCmd())
	return root
}

// strict makes cmd and those below it refuse what they would drop silently: an
// unknown subcommand, arguments of a command that declared none, a blank file
// name.
func strict(cmd *cobra.Command) {
	refuseBlankFiles(cmd.Flags())
	switch {
	case cmd.HasSubCommands() && !cmd.Runnable():
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return nil
		}
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	case cmd.Args == nil:
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("%s takes no arguments; got %q", cmd.CommandPath(), args[0]))
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		strict(sub)
	}
}

// runRecovered runs one command line on root and returns its error; a panic is
// one too.
func runRecovered(root *cobra.Command, args []string, stdout, stderr io.Writer) (err error) {
	defer recovered(&err)
	root.SetArgs(slices.Concat([]string{}, args)) // never nil: cobra would take the process's
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd() // it keeps the output of this moment
	for _, cmd := range root.Commands() {
		strict(cmd)
	}
	err = root.Execute()
	if name, ok := unknownToRoot(err); ok {
		return unknownCommand(root, name)
	}
	return err
}

// unknownToRoot reads the name out of the library's own error for an unknown
// command of the root, which has several lines.
func unknownToRoot(err error) (name string, ok bool) {
	if e := (*exitError)(nil); err == nil || errors.As(err, &e) {
		return "", false
	}
	rest, ok := strings.CutPrefix(err.Error(), "unknown command ")
	quoted, qerr := strconv.QuotedPrefix(rest)
	if !ok || qerr != nil || !strings.HasPrefix(rest[len(quoted):], ` for "tfsim"`) {
		return "", false
	}
	name, qerr = strconv.Unquote(quoted)
	return name, qerr == nil
}

// unknownCommand is the error for a name that cmd has no subcommand of.
func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return usage(fmt.Errorf("unknown command %q%s; '%s --help' lists the commands",
		name, didYouMean(closest(name, names)), cmd.CommandPath()))
}

// accepted are the forms of a flag's value, by type. The library's own errors
// name the functions that read them.
var accepted = map[string]string{
	"bool":     "true or false",
	"int":      "a whole number",
	"uint64":   "a whole number of at least 0",
	"float64":  "a number",
	"duration": "a duration such as 500ms, 10s or 1m30s",
}

// flagError says what is wrong with a flag, and which one may have been meant.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		if _, ok := invalid.GetFlag().Value.(*settingFlag); ok {
			return usage(invalid.Unwrap()) // it names the setting and what it accepts
		}
		want, known := accepted[invalid.GetFlag().Value.Type()]
		if known {
			return usage(fmt.Errorf("--%s %s: want %s", invalid.GetFlag().Name, strconv.Quote(invalid.GetValue()), want))
		}
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usage(err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := closest(unknown.GetSpecifiedName(), names)
	if near != "" {
		near = "--" + near
	}
	return usage(fmt.Errorf("%w%s; '%s --help' lists the flags", err, didYouMean(near), cmd.CommandPath()))
}

func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %s?", name)
}

// closest returns the candidate that name was most likely meant to be, or "".
func closest(name string, candidates []string) string {
	name = strings.ToLower(name)
	best, least := "", len(name)/3+1
	for _, c := range candidates {
		d := distance(name, strings.ToLower(c))
		if len(name) >= 2 && strings.HasPrefix(strings.ToLower(c), name) {
			d = 1
		}
		if d < least || d == least && best == "" {
			best, least = c, d
		}
	}
	return best
}

// distance is the number of single-byte edits that turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(found, slices.Concat(rest, args)[0])
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
}

func newVersionCmd(*options) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version, the commit and the platform",
		Example: "  tfsim version",
		RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintln(cmd.OutOrStdout(), version())
			return nil
		},
	}
}

// version describes this build in one line.
func version() string {
	release, commit, modified := "(devel)", "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			release = info.Main.Version
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = " commit " + s.Value[:min(12, len(s.Value))]
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = " (modified)"
			}
		}
	}
	return fmt.Sprintf("tfsim %s%s%s %s %s/%s", release, commit, modified, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
