package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tune"
	"github.com/tfsim/tfsim/tune/goal"
)

const tuneLong = `Search the settings for those that serve an objective best on scenarios, and
print the environment lines and flags to paste, with how sure that is.

The objective is min or max and a metric: done_s(reply) of a request, or a
figure of the run such as gap_ms.p95, decode_tok_s, goodput_rps, done_s.mean or
fairness; "in 'case'" names the only case that counts. A constraint is a metric,
<= or >=, and a number or a number * base, where base is the first arm. The
objective is the mean over cases and files; a constraint holds in each of them.

Nothing inside the noise is recommended: the answer is then "no difference".
Ctrl-C ends the search with what is done. docs/tuning.md tells the rest.`

const tuneExample = `  tfsim tune scenarios/long-beside-short.yaml --objective 'min done_s(reply)' --subject-to 'ttft_s(long) <= 1.05 * base'
  tfsim tune scenarios/bursty-chat.yaml --objective 'max goodput_rps' --only decode-share --only TFSIM_STEP_ROWS
  tfsim tune scenarios/prompt-orders.yaml --objective 'min ttft_s.p95' --fix parallel=2 --robust worst --json
  tfsim tune scenarios/long-beside-short.yaml --pareto 'min done_s(reply)' --pareto 'min ttft_s(long)' --plot front.svg`

// tuneFlags are the command's flags.
type tuneFlags struct {
	objective, robust, machine, plot string
	subjectTo, only, fix, cases      []string
	pareto                           []string
	json                             bool
	noise                            float64
	seed                             uint64
	budget                           int
}

func newTuneCmd(o *options) *cobra.Command {
	var f tuneFlags
	cmd := &cobra.Command{
		Use:               "tune FILE...",
		Short:             "Search the settings for those that serve an objective best",
		Long:              tuneLong,
		Example:           tuneExample,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return runTune(cmd, o, f, args) },
		ValidArgsFunction: completeYAML,
	}
	flags := cmd.Flags()
	flags.StringVar(&f.objective, "objective", "", "what to search for, such as `'min done_s(reply)'`")
	flags.StringArrayVar(&f.subjectTo, "subject-to", nil, "a constraint, such as `'ttft_s(long) <= 1.05 * base'` (repeatable)")
	flags.StringArrayVar(&f.pareto, "pareto", nil, "the front of two `OBJECTIVE`s in place of one best (give it twice)")
	flags.StringVar(&f.plot, "plot", "", "draw the front to `FILE`: .svg or .png")
	flags.StringArrayVar(&f.only, "only", nil, "search only this setting: `NAME`, or NAME=VALUE,VALUE (repeatable)")
	flags.StringArrayVar(&f.fix, "fix", nil, "keep a setting at a value: `NAME=VALUE` (repeatable)")
	flags.StringVar(&f.robust, "robust", "mean", "one figure of several worlds: mean, worst or `pNN`")
	flags.StringArrayVar(&f.cases, "case", nil, "play only this case (repeatable)")
	flags.StringVar(&f.machine, "machine", "", "play on another machine: a `name` of the library or a file")
	flags.Float64Var(&f.noise, "noise", 0, "sigma of the worlds' noise, 0 to 2")
	flags.Uint64Var(&f.seed, "seed", 0, "first seed of the worlds")
	flags.IntVar(&f.budget, "budget", 10_000, "the most `N` runs of one case, world and seed")
	flags.BoolVar(&f.json, "json", false, "print the answer and its evidence as JSON")
	cmd.MarkFlagsMutuallyExclusive("objective", "pareto")
	// They fail only for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc("machine", cobra.FixedCompletions(costmodel.Library(), cobra.ShellCompDirectiveDefault))
	_ = cmd.RegisterFlagCompletionFunc("fix", completeSettings)
	_ = cmd.RegisterFlagCompletionFunc("only", completeSettings)
	return cmd
}

func runTune(cmd *cobra.Command, o *options, f tuneFlags, args []string) error {
	paths := f.takeObjectives(args)
	aims, err := f.aims()
	if err != nil {
		return usage(err)
	}
	if len(paths) == 0 {
		return usage(errors.New("no scenario file; try: " + firstExample(tuneExample)))
	}
	fixed, names, err := f.fixed()
	if err != nil {
		return usage(err)
	}
	space, err := tune.NewSpace(f.only, names)
	if err != nil {
		return usage(err)
	}
	opts := study.Options{Set: fixed, Cases: f.cases, Machine: f.machine}
	if cmd.Flags().Changed("noise") {
		if !(f.noise >= 0 && f.noise <= 2) {
			return usage(fmt.Errorf("--noise %g: want 0 to 2", f.noise))
		}
		opts.Noise = &f.noise
	}
	if cmd.Flags().Changed("seed") {
		opts.Seed = &f.seed
	}
	probes, err := openProbes(paths, opts)
	if err != nil {
		return usage(err)
	}
	field, err := tune.NewField(space, probes, aims)
	if err != nil {
		return usage(err)
	}
	if f.budget < 1 || f.budget > 1_000_000_000 {
		return usage(fmt.Errorf("--budget %d: want 1 to 1000000000", f.budget))
	}
	return f.search(cmd, o, field, space)
}

func (f *tuneFlags) search(cmd *cobra.Command, o *options, field *tune.Field, space *tune.Space) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	starts, _, _ := field.Starts()
	bar := newProgress(o, cmd.ErrOrStderr(), "tune")
	opts := tune.Options{Budget: f.budget, Starts: starts, Progress: bar.step}
	if len(f.pareto) > 0 {
		return f.front(ctx, cmd, field, space, opts, bar)
	}
	found, err := tune.Search(ctx, field, space, opts)
	bar.clear()
	if err != nil {
		return faultOfPanic(err)
	}
	answer := tune.NewAnswer(field, found)
	if f.json {
		return tune.WriteJSON(cmd.OutOrStdout(), answer)
	}
	return answer.Write(cmd.OutOrStdout())
}

// faultOfPanic marks a panic of what was played as a fault.
func faultOfPanic(err error) error {
	if p := (*study.Panic)(nil); errors.As(err, &p) {
		return fault(err)
	}
	return err
}

// takeObjectives moves a second objective that stands among the files to its
// flag: --pareto 'min A' 'max B'.
func (f *tuneFlags) takeObjectives(args []string) (paths []string) {
	for _, arg := range args {
		objective := strings.HasPrefix(arg, "min ") || strings.HasPrefix(arg, "max ")
		if objective && len(f.pareto) == 1 {
			f.pareto = append(f.pareto, arg)
			continue
		}
		paths = append(paths, arg)
	}
	return paths
}

func (f *tuneFlags) aims() (aims tune.Aims, err error) {
	switch {
	case len(f.pareto) > 0:
		if aims.Objectives, err = goal.ParseObjectives(strings.Join(f.pareto, ", ")); err != nil {
			return aims, fmt.Errorf("--pareto: %w", err)
		}
		if n := len(aims.Objectives); n != 2 {
			return aims, fmt.Errorf("--pareto: %d objective; want two", n)
		}
	case f.objective == "":
		return aims, errors.New("no --objective; try: " + firstExample(tuneExample))
	default:
		o, err := goal.ParseObjective(f.objective)
		if err != nil {
			return aims, fmt.Errorf("--objective: %w", err)
		}
		aims.Objectives = []goal.Objective{o}
	}
	if f.plot != "" && len(f.pareto) == 0 {
		return aims, errors.New("--plot draws a front; it needs --pareto")
	}
	for _, text := range f.subjectTo {
		c, err := goal.ParseConstraint(text)
		if err != nil {
			return aims, fmt.Errorf("--subject-to: %w", err)
		}
		aims.Constraints = append(aims.Constraints, c)
	}
	if aims.Robust, err = tune.ParseRobust(f.robust); err != nil {
		return aims, fmt.Errorf("--robust %w", err)
	}
	return aims, nil
}

func (f *tuneFlags) fixed() (set []study.Assignment, names []string, err error) {
	var v settings.Values
	for _, text := range f.fix {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, nil, fmt.Errorf("--fix %s: want NAME=VALUE", strconv.Quote(text))
		}
		if err := v.Set(name, value); err != nil {
			return nil, nil, fmt.Errorf("--fix: %w", err)
		}
		set, names = append(set, study.Assignment{Name: name, Text: value}), append(names, name)
	}
	return set, names, nil
}

func openProbes(paths []string, opts study.Options) ([]*study.Probe, error) {
	var probes []*study.Probe
	for _, path := range paths {
		file, err := scenario.Load(path)
		if err != nil {
			return nil, err
		}
		probe, err := study.NewProbe(file, opts)
		if err != nil {
			return nil, err
		}
		probes = append(probes, probe)
	}
	return probes, nil
}

// firstExample is the first line of a command's examples.
func firstExample(examples string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(examples), "\n")
	return first
}
