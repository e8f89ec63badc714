package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tune"
)

const tuneLong = `Search the settings for those that serve an objective best on scenarios, and
print the environment lines and flags to paste, with how sure that is.

The objective is min or max and a metric: done_s(reply) of a request, or a
figure of the run such as gap_ms.p95, decode_tok_s, goodput_rps, done_s.mean or
fairness; "in 'case'" names the only case that counts. A constraint is a metric,
<= or >=, and a number or a number * base, where base is the first arm. The
objective is the mean over cases and files; a constraint holds in each of them.

Nothing inside the noise is recommended: the answer is then "no difference".
Ctrl-C ends the search with what is done; with --resume FILE the same command
continues it. docs/tuning.md tells the rest.`

const tuneExample = `  tfsim tune scenarios/long-beside-short.yaml --objective 'min done_s(reply)' --subject-to 'ttft_s(long) <= 1.05 * base'
  tfsim tune scenarios/bursty-chat.yaml --objective 'max goodput_rps' --only decode-share --only TFSIM_STEP_ROWS
  tfsim tune scenarios/prompt-orders.yaml --objective 'min ttft_s.p95' --fix parallel=2 --robust worst --json
  tfsim tune scenarios/long-beside-short.yaml --pareto 'min done_s(reply)' --pareto 'min ttft_s(long)' --plot front.svg`

// tuneFlags are the command's flags.
type tuneFlags struct {
	objective, robust, machine, plot string
	resume                           string
	workerFlags
	subjectTo, only, fix, cases []string
	pareto                      []string
	json                        bool
	noise                       float64
	seed                        uint64
	budget                      int
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
	flags.StringVar(&f.resume, "resume", "", "keep finished work in the journal `FILE`, and continue from what it has")
	flags.IntVar(&f.workers, "workers", 0, "play in `N` worker processes of this machine; 0 is in this process")
	flags.StringVar(&f.nats, "nats", "", "play in the workers at the NATS server of this `URL`")
	flags.StringVar(&f.listen, "listen", "", "let workers of other machines join at `HOST:PORT`")
	flags.BoolVar(&f.json, "json", false, "print the answer and its evidence as JSON")
	cmd.MarkFlagsMutuallyExclusive("objective", "pareto")
	// They fail only for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc("machine", cobra.FixedCompletions(costmodel.Library(), cobra.ShellCompDirectiveDefault))
	_ = cmd.RegisterFlagCompletionFunc("fix", completeSettings)
	_ = cmd.RegisterFlagCompletionFunc("only", completeSettings)
	return cmd
}

func runTune(cmd *cobra.Command, o *options, f tuneFlags, args []string) error {
	q, err := f.question(cmd, args)
	if err != nil {
		return usage(err)
	}
	field, err := q.Open()
	if err != nil {
		return usage(err)
	}
	if err := distinctFiles(cmd, filesRead(q.Scenarios, field.Files(), q.Machine)); err != nil {
		return usage(err)
	}
	ctx, stop := untilInterrupt(cmd.Context())
	defer stop()
	bar := newProgress(o, cmd.ErrOrStderr(), "tune")
	var opened closers
	defer func() { opened.close() }()
	runner, err := f.runner(ctx, q, field, bar, &opened)
	if err != nil {
		return usage(err)
	}
	starts, _, _ := field.Starts()
	opts := tune.Options{Budget: f.budget, Starts: starts, Runner: runner, Progress: bar.step}
	search := f.best
	if q.Front {
		search = f.front
	}
	answer, how, err := search(ctx, field, opts)
	bar.clear()
	switch {
	case errors.Is(err, tune.ErrStopped):
		return interrupted(fmt.Errorf("%w%s", err, f.kept()))
	case err != nil:
		return faultOfPanic(err)
	}
	if f.json {
		err = tune.WriteJSON(cmd.OutOrStdout(), answer)
	} else {
		err = answer.Write(cmd.OutOrStdout())
	}
	if err == nil && how == tune.EndInterrupted {
		return interrupted(errors.New("interrupted: the figures are of what was done until then" + f.kept()))
	}
	return err
}

// answer is what a search tells.
type answer interface{ Write(io.Writer) error }

// best searches for the best by one objective.
func (f *tuneFlags) best(ctx context.Context, field *tune.Field, opts tune.Options) (answer, string, error) {
	found, err := tune.Search(ctx, field, field.Space(), opts)
	if err != nil {
		return nil, "", err
	}
	return tune.NewAnswer(field, found), found.End, nil
}

// runner is what plays: this process or workers, with a journal before it if
// that is asked for.
func (f *tuneFlags) runner(ctx context.Context, q *tune.Question, field *tune.Field, bar *progress, opened *closers) (tune.Runner, error) {
	runner := tune.NewLocal(field, 0)
	if !f.away() && f.resume == "" {
		return runner, nil
	}
	bundle, err := tune.NewBundle(q, field)
	if err != nil {
		return nil, err
	}
	var journal *tune.Journal
	if f.resume != "" {
		if journal, err = tune.OpenJournal(f.resume, program(), bundle); err != nil {
			return nil, fmt.Errorf("--resume: %w", err)
		}
		opened.add(func() { _ = journal.Close() })
	}
	if f.away() {
		if runner, err = f.start(ctx, bundle, bar, opened); err != nil {
			return nil, err
		}
	}
	if journal != nil {
		runner = journal.Over(runner)
	}
	return runner, nil
}

// kept says what becomes of the work of a search that was interrupted.
func (f *tuneFlags) kept() string {
	if f.resume == "" {
		return "; with --resume FILE it could be continued"
	}
	return "; the same command continues with what " + f.resume + " has"
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

// question is what the flags and arguments ask.
func (f *tuneFlags) question(cmd *cobra.Command, args []string) (*tune.Question, error) {
	q := &tune.Question{
		Scenarios: f.takeObjectives(args), Objectives: f.pareto, Front: len(f.pareto) > 0, SubjectTo: f.subjectTo,
		Robust: f.robust, Only: f.only, Fix: f.fix, Cases: f.cases, Machine: f.machine,
	}
	if !q.Front {
		q.Objectives = []string{f.objective}
	}
	if cmd.Flags().Changed("noise") {
		q.Noise = &f.noise
	}
	if cmd.Flags().Changed("seed") {
		q.Seed = &f.seed
	}
	switch {
	case !q.Front && f.objective == "":
		return nil, errors.New("no --objective; try: " + firstExample(tuneExample))
	case f.plot != "" && !q.Front:
		return nil, errors.New("--plot draws a front; it needs --pareto")
	case len(q.Scenarios) == 0:
		return nil, errors.New("no scenario file; try: " + firstExample(tuneExample))
	case f.budget < 1 || f.budget > 1_000_000_000:
		return nil, fmt.Errorf("--budget %d: want 1 to 1000000000", f.budget)
	}
	return q, f.workerFlags.check(cmd.Flags())
}

// firstExample is the first line of a command's examples.
func firstExample(examples string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(examples), "\n")
	return first
}
