package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
)

const scenarioLong = `Play scenario files: every case in every world under every arm, on the cost
table of a machine, in virtual time.

A table for each case compares the arms; the figures in parentheses are ratios
to the first arm. --json prints one document, --csv one row for each request and
total. --html makes a page to send to somebody, --plot the charts to paste and
--trace a timeline for Perfetto. docs/scenario-format.md describes files and
results.`

const scenarioExample = `  tfsim scenario scenarios/long-beside-short.yaml
  tfsim scenario --arm base --arm pieces --set TENSORFOLD_PREFILL_SHARE=0.5 scenarios/long-beside-short.yaml
  tfsim scenario --machine m3-ultra-512gb --repeat 5 --json scenarios/bursty-chat.yaml
  tfsim scenario --html report.html --trace trace.json scenarios/prompt-orders.yaml
  tfsim scenario --check scenarios/*.yaml`

// scenarioFlags are the command's flags.
type scenarioFlags struct {
	json, csv, check, schema bool
	set, arms, cases         []string
	machine, events          string
	noise                    float64
	seed                     uint64
	repeat                   int
	outputs                  outputFlags
}

func newScenarioCmd(o *options) *cobra.Command {
	var f scenarioFlags
	cmd := &cobra.Command{
		Use:     "scenario FILE...",
		Short:   "Compare settings on a workload, in virtual time",
		Long:    scenarioLong,
		Example: scenarioExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, files []string) error {
			return runScenario(cmd, o, f, files)
		},
		ValidArgsFunction: completeYAML,
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.check, "check", false, "only say whether the files are right")
	flags.BoolVar(&f.schema, "schema", false, "print a JSON Schema of scenario files, for editors")
	flags.StringArrayVar(&f.arms, "arm", nil, "play only this arm (repeatable)")
	flags.StringArrayVar(&f.cases, "case", nil, "play only this case (repeatable)")
	flags.StringVar(&f.machine, "machine", "", "play on another machine: a `name` of the library or a file")
	f.register(cmd)
	cmd.MarkFlagsMutuallyExclusive("json", "csv", "check", "schema")
	addTUI(cmd, o, &f)
	return cmd
}

// register adds the flags of every command that prints such results; cmd has
// a flag for the machine.
func (f *scenarioFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print the results as JSON")
	flags.BoolVar(&f.csv, "csv", false, "print the results as CSV")
	flags.StringArrayVar(&f.set, "set", nil, "set `NAME=VALUE` over the file and its arms (repeatable)")
	flags.StringVar(&f.events, "events", "", "write every event to `FILE` as JSON lines")
	flags.Float64Var(&f.noise, "noise", 0, "sigma of the worlds' noise, 0 to 2")
	flags.Uint64Var(&f.seed, "seed", 0, "first seed of the worlds")
	flags.IntVar(&f.repeat, "repeat", 1, "play each cell with `N` seeds and give means with 95% intervals")
	f.outputs.register(flags)
	// They fail only for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc("machine", cobra.FixedCompletions(costmodel.Library(), cobra.ShellCompDirectiveDefault))
	_ = cmd.RegisterFlagCompletionFunc("set", completeSettings)
}

// completeYAML completes scenario files.
func completeYAML(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

func completeSettings(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, s := range settings.All() {
		names = append(names, s.Name+"=")
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func runScenario(cmd *cobra.Command, o *options, f scenarioFlags, paths []string) error {
	out := cmd.OutOrStdout()
	if f.schema {
		return printSchema(out)
	}
	if len(paths) == 0 {
		return usage(fmt.Errorf("no scenario file; try: %s", strings.TrimSpace(strings.SplitN(scenarioExample, "\n", 2)[0])))
	}
	opts, err := f.options(cmd)
	if err != nil {
		return usage(err)
	}
	files := make([]*scenario.File, len(paths))
	for i, path := range paths {
		if files[i], err = scenario.Load(path); err != nil {
			return usage(err)
		}
		if err := study.Check(files[i], opts); err != nil {
			return usage(err)
		}
	}
	if f.check {
		for _, file := range files {
			machine := file.Machine
			if f.machine != "" {
				machine = f.machine
			}
			if _, err := fmt.Fprintf(out, "%s: ok, %d worlds × %d cases × %d arms on %s\n",
				file.Path, len(file.Worlds), len(file.Cases), len(file.Arms), machine); err != nil {
				return err
			}
		}
		return nil
	}
	return f.show(cmd, o, files, opts, paths)
}

// show plays files and prints their results; paths are the command's
// arguments.
func (f scenarioFlags) show(cmd *cobra.Command, o *options, files []*scenario.File, opts study.Options, paths []string) error {
	out := cmd.OutOrStdout()
	ctx, stop := untilInterrupt(cmd.Context())
	defer stop()
	drawings, err := f.outputs.open(cmd, paths, filesRead(paths, files, f.machine))
	if err != nil {
		return usage(err)
	}
	defer drawings.discard()
	docs, err := f.play(ctx, o, cmd.ErrOrStderr(), files, opts, drawings)
	if errors.Is(err, context.Canceled) {
		return interrupted(err)
	}
	if err != nil {
		return err
	}
	if err := drawings.keep(); err != nil {
		return err
	}
	switch {
	case f.json:
		err = result.WriteJSON(out, docs...)
	case f.csv:
		err = result.WriteCSV(out, docs...)
	default:
		err = result.WriteTable(out, docs, result.TableOptions{Color: o.colored(out), Width: o.columns(out)})
	}
	if err != nil {
		return err
	}
	return unmet(docs)
}

func printSchema(out io.Writer) error {
	schema, err := scenario.Schema()
	if err != nil {
		return fault(err)
	}
	_, err = fmt.Fprintf(out, "%s\n", strings.TrimRight(string(schema), "\n"))
	return err
}

// options checks the flags' values.
func (f scenarioFlags) options(cmd *cobra.Command) (study.Options, error) {
	opts := study.Options{Arms: f.arms, Cases: f.cases, Machine: f.machine, Repeat: f.repeat}
	for _, s := range f.set {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return opts, fmt.Errorf("--set %s: want NAME=VALUE", strconv.Quote(s))
		}
		opts.Set = append(opts.Set, study.Assignment{Name: name, Text: value})
	}
	if cmd.Flags().Changed("noise") {
		if !(f.noise >= 0 && f.noise <= 2) {
			return opts, fmt.Errorf("--noise %g: want 0 to 2", f.noise)
		}
		opts.Noise = &f.noise
	}
	if cmd.Flags().Changed("seed") {
		opts.Seed = &f.seed
	}
	if f.repeat < 1 || f.repeat > 10_000 {
		return opts, fmt.Errorf("--repeat %d: want 1 to 10000", f.repeat)
	}
	return opts, nil
}

// play plays the files in order, with progress and events where asked.
func (f scenarioFlags) play(ctx context.Context, o *options, stderr io.Writer, files []*scenario.File, opts study.Options, drawings *outputs) ([]*result.Document, error) {
	events, err := newEventFile(f.events)
	if err != nil {
		return nil, usage(err)
	}
	defer events.discard()
	if events != nil {
		opts.Events = events.buffer
	}
	var docs []*result.Document
	for _, file := range files {
		bar := newProgress(o, stderr, file.Name)
		opts.Progress, opts.Part = bar.step, nil
		if hasTrace(file) {
			opts.Progress, opts.Part = nil, bar.part
		}
		if err := drawings.watch(file, &opts); err != nil {
			return nil, err
		}
		doc, err := study.Play(ctx, file, opts)
		bar.clear()
		if p := (*study.Panic)(nil); errors.As(err, &p) {
			return nil, fault(err)
		}
		if err != nil {
			return nil, err
		}
		drawings.played(doc)
		docs = append(docs, doc)
	}
	return docs, events.keep()
}

// unmet turns failed expectations into the exit status; the results have
// already told which.
func unmet(docs []*result.Document) error {
	missed, first := 0, ""
	for _, d := range docs {
		for _, e := range d.Expect {
			if !e.OK {
				if missed++; missed == 1 {
					first = e.Text
				}
			}
		}
	}
	switch missed {
	case 0:
		return nil
	case 1:
		return failed(fmt.Errorf("1 expectation did not hold: %s", first))
	}
	return failed(fmt.Errorf("%d expectations did not hold, the first: %s", missed, first))
}
