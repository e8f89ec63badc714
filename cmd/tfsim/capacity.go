package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tune"
	"github.com/tfsim/tfsim/tune/capacity"
	"github.com/tfsim/tfsim/tune/goal"
)

const capacityLong = `Find the highest rate of arrivals, or number of users of a closed loop, at which
service targets hold, for each arm of a scenario's workloads.

The load is bisected with each of several seeds; the answer is the mean, with
its 95% interval. A saturated run, or one that refused requests, holds no
target. docs/tuning.md tells the rest.`

const capacityExample = `  tfsim capacity scenarios/bursty-chat.yaml --slo 'ttft_s.p95 <= 10, gap_ms.p95 <= 500' --case 'chat alone'
  tfsim capacity scenarios/closed-loop.yaml --slo 'ttft_s p95 <= 5' --case 'two people' --seeds 16 --json`

// capacityFlags are the command's flags.
type capacityFlags struct {
	study scenarioFlags
	slo   string
	seeds int
	close float64
}

func newCapacityCmd(o *options) *cobra.Command {
	var f capacityFlags
	cmd := &cobra.Command{
		Use:               "capacity FILE",
		Short:             "Find the highest load at which service targets hold",
		Long:              capacityLong,
		Example:           capacityExample,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return runCapacity(cmd, o, f, args) },
		ValidArgsFunction: completeYAML,
	}
	flags := cmd.Flags()
	flags.StringVar(&f.slo, "slo", "", "the targets, such as `'ttft_s.p95 <= 10, gap_ms.p95 <= 500'`")
	flags.IntVar(&f.seeds, "seeds", 8, "measure with `N` seeds")
	flags.Float64Var(&f.close, "close", 0.02, "find a rate to this part of it, 0.001 to 0.5")
	flags.StringArrayVar(&f.study.set, "set", nil, "set `NAME=VALUE` over the file and its arms (repeatable)")
	flags.StringArrayVar(&f.study.arms, "arm", nil, "measure only this arm (repeatable)")
	flags.StringArrayVar(&f.study.cases, "case", nil, "measure only this case (repeatable)")
	flags.StringVar(&f.study.machine, "machine", "", "measure on another machine: a `name` of the library or a file")
	flags.Float64Var(&f.study.noise, "noise", 0, "sigma of the worlds' noise, 0 to 2")
	flags.Uint64Var(&f.study.seed, "seed", 0, "first seed of the worlds")
	flags.BoolVar(&f.study.json, "json", false, "print the report as JSON")
	// They fail only for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc("machine", cobra.FixedCompletions(costmodel.Library(), cobra.ShellCompDirectiveDefault))
	_ = cmd.RegisterFlagCompletionFunc("set", completeSettings)
	return cmd
}

func runCapacity(cmd *cobra.Command, o *options, f capacityFlags, paths []string) error {
	switch {
	case len(paths) != 1:
		return usage(fmt.Errorf("%d scenario files; want one, as in: %s", len(paths), firstExample(capacityExample)))
	case f.slo == "":
		return usage(errors.New("no --slo; try: " + firstExample(capacityExample)))
	case f.seeds < 1 || f.seeds > 10_000:
		return usage(fmt.Errorf("--seeds %d: want 1 to 10000", f.seeds))
	case !(f.close >= 0.001 && f.close <= 0.5):
		return usage(fmt.Errorf("--close %g: want 0.001 to 0.5", f.close))
	}
	targets, err := goal.ParseTargets(f.slo)
	if err != nil {
		return usage(fmt.Errorf("--slo: %w", err))
	}
	f.study.repeat = 1
	opts, err := f.study.options(cmd)
	if err != nil {
		return usage(err)
	}
	file, err := scenario.Load(paths[0])
	if err != nil {
		return usage(err)
	}
	probe, err := study.NewProbe(file, opts)
	if err != nil {
		return usage(err)
	}
	ctx, stop := untilInterrupt(cmd.Context())
	defer stop()
	bar := newProgress(o, cmd.ErrOrStderr(), "capacity")
	report, err := capacity.Measure(ctx, probe, targets, capacity.Options{Seeds: f.seeds, Close: f.close, Progress: bar.step})
	bar.clear()
	if err != nil {
		return faultOfPanic(err)
	}
	if f.study.json {
		err = tune.WriteJSON(cmd.OutOrStdout(), report)
	} else {
		err = report.Write(cmd.OutOrStdout())
	}
	if err == nil && report.Interrupted {
		return interrupted(errors.New("interrupted: the figures are of the seeds that were done"))
	}
	return err
}
