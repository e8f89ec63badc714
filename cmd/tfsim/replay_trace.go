package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/sim/trace"
)

const replayTraceLong = `Play the arrivals of real traffic on a machine, in virtual time, under one arm
or several side by side.

Files are traces of Azure's LLM inference (2023, 2024), BurstGPT, Mooncake or
ShareGPT, or what 'tfsim serve --record' and --events wrote; their content says
which. Each file is a case, and a row is a request. --from and --to choose a
span, --sample draws a part of it, --limit ends it, --speed makes it denser.

An arm is 'NAME: SETTING=VALUE ...'. --with takes machine, server, worlds and
arms from a scenario file. docs/traces.md tells the rest.`

const replayTraceExample = `  tfsim replay-trace --machine m5-ultra-512gb scenarios/traces/azure-2023.csv
  tfsim replay-trace --machine m5-ultra-512gb --arm base --arm 'share: decode-share=0.25' --speed 0.5 scenarios/traces/burstgpt.csv
  tfsim replay-trace --with scenarios/long-beside-short.yaml --from 1m --to 5m --json scenarios/traces/azure-2024.csv
  tfsim replay-trace --machine m5-ultra-512gb --set prompt-cache-gib=8 scenarios/traces/mooncake.jsonl`

// replayTraceFlags are the command's flags.
type replayTraceFlags struct {
	study          scenarioFlags
	arms           []string
	with, load     string
	format         string
	from, to       time.Duration
	speed, sample  float64
	rate           float64
	bytes          float64
	limit          int
	listedRequests bool
}

func newReplayTraceCmd(o *options) *cobra.Command {
	var f replayTraceFlags
	cmd := &cobra.Command{
		Use:     "replay-trace FILE...",
		Short:   "Play recorded traffic on a machine, in virtual time",
		Long:    replayTraceLong,
		Example: replayTraceExample,
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, paths []string) error { return runReplayTrace(cmd, o, f, paths) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.study.machine, "machine", "", "play on this machine: a `name` of the library or a file")
	flags.StringArrayVar(&f.arms, "arm", nil, "an arm: `'NAME: SETTING=VALUE ...'`, or the name of one of --with (repeatable)")
	flags.StringVar(&f.with, "with", "", "take machine, server, settings, worlds and arms from a scenario `FILE`")
	flags.StringVar(&f.load, "load", "chat", "the `kind` of text that the machine's drafts fare as")
	flags.BoolVar(&f.listedRequests, "per-request", false, "list each request in the results; memory then grows with them")
	f.register(flags)
	f.study.register(cmd)
	cmd.MarkFlagsMutuallyExclusive("json", "csv")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(trace.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// register adds the flags that choose what of a trace is played.
func (f *replayTraceFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, "format", "", "how the files are written: "+strings.Join(trace.Names(), ", ")+"; their content says without it")
	flags.Float64Var(&f.speed, "speed", 1, "play requests so many times faster than they came")
	flags.DurationVar(&f.from, "from", 0, "leave out requests before this time from the first")
	flags.DurationVar(&f.to, "to", 0, "leave out requests from this time from the first on")
	flags.Float64Var(&f.sample, "sample", 1, "draw this part of the requests, by the seed")
	flags.IntVar(&f.limit, "limit", 0, "play at most `N` requests of a file; 0: all")
	flags.Float64Var(&f.rate, "rate", 0, "requests a second, at random, of a trace without times")
	flags.Float64Var(&f.bytes, "bytes-per-token", trace.BytesPerToken, "how many bytes of a text make a token")
}

func runReplayTrace(cmd *cobra.Command, o *options, f replayTraceFlags, paths []string) error {
	if len(paths) == 0 {
		return usage(errors.New("no trace; try: " + firstExample(replayTraceExample)))
	}
	opts, err := f.study.options(cmd)
	if err != nil {
		return usage(err)
	}
	file, err := f.file(cmd, paths)
	if err != nil {
		return usage(err)
	}
	if err := study.Check(file, opts); err != nil {
		return usage(err)
	}
	return f.study.show(cmd, o, []*scenario.File{file}, opts, paths)
}

// file makes the scenario that plays the traces: a case for each.
func (f *replayTraceFlags) file(cmd *cobra.Command, paths []string) (*scenario.File, error) {
	file := &scenario.File{
		Path: "replay-trace", Machine: f.study.machine,
		Worlds: []scenario.World{scenario.PlainWorld()}, Arms: []scenario.Arm{{Name: "base"}},
	}
	switch {
	case f.with != "":
		var err error
		if file, err = scenario.Load(f.with); err != nil {
			return nil, err
		}
	case f.study.machine == "":
		return nil, fmt.Errorf("no --machine; the library has %s; or take one from a scenario: --with FILE", strings.Join(costmodel.Library(), ", "))
	}
	arms, err := f.armsOf(file)
	if err != nil {
		return nil, err
	}
	w, err := f.workload(cmd.Flags())
	if err != nil {
		return nil, err
	}
	file.Arms, file.Cases, file.Expect = arms, nil, nil
	file.About = "The arrivals of " + strings.Join(paths, ", ") + "."
	names := caseNames(paths)
	file.Name = strings.Join(names, ", ")
	for i, path := range paths {
		if at := slices.Index(paths, path); at != i {
			return nil, fmt.Errorf("%s is given twice", path)
		}
		own, t := *w, *w.Trace
		t.Path = path
		own.Trace = &t
		file.Cases = append(file.Cases, scenario.Case{Name: names[i], Workload: &own})
	}
	return file, nil
}

// caseNames are the files' names without what they end in, or their paths
// where that does not tell them apart.
func caseNames(paths []string) []string {
	names := make([]string, len(paths))
	seen := map[string]bool{}
	for i, p := range paths {
		base := filepath.Base(p)
		names[i] = strings.TrimSuffix(base, filepath.Ext(base))
		if seen[names[i]] || names[i] == "" {
			return paths
		}
		seen[names[i]] = true
	}
	return names
}

// workload is what is played of each file.
func (f *replayTraceFlags) workload(flags *pflag.FlagSet) (*scenario.Workload, error) {
	t := scenario.WholeTrace("")
	t.Format, t.Speed, t.Sample, t.Limit, t.BytesPerToken = trace.Format(f.format), f.speed, f.sample, f.limit, f.bytes
	t.From = core.Micros(f.from / time.Microsecond)
	if flags.Changed("to") {
		t.To = core.Micros(f.to / time.Microsecond)
	}
	if f.format != "" && !slices.Contains(trace.Formats, t.Format) {
		return nil, fmt.Errorf("--format %q: want %s", f.format, strings.Join(trace.Names(), ", "))
	}
	if err := t.Check(); err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	w := &scenario.Workload{Trace: &t, PerRequest: f.listedRequests}
	if flags.Changed("rate") {
		if !(f.rate >= 1e-6 && f.rate <= 1e6) {
			return nil, fmt.Errorf("--rate %g: want 0.000001 to 1000000", f.rate)
		}
		w.Arrivals = scenario.Arrivals{Process: scenario.Poisson, Rate: f.rate}
	}
	mix := scenario.PlainMix(scenario.Pos{})
	mix.Load.Names[0] = f.load
	w.Mix = []scenario.Mix{mix}
	return w, nil
}

// armsOf are the arms to play: those of the file, or those that --arm names
// or makes.
func (f *replayTraceFlags) armsOf(file *scenario.File) ([]scenario.Arm, error) {
	if len(f.arms) == 0 {
		return file.Arms, nil
	}
	var arms []scenario.Arm
	for _, text := range f.arms {
		name, set, made := strings.Cut(text, ":")
		name = strings.TrimSpace(name)
		known := slices.IndexFunc(file.Arms, func(a scenario.Arm) bool { return a.Name == name })
		switch {
		case name == "" || slices.ContainsFunc(arms, func(a scenario.Arm) bool { return a.Name == name }):
			return nil, fmt.Errorf("--arm %q: each arm has a name of its own", text)
		case !made && known >= 0:
			arms = append(arms, file.Arms[known])
			continue
		case !made && f.with != "":
			return nil, fmt.Errorf("--arm %q: not in %s; to make one, give 'NAME: SETTING=VALUE ...'", text, f.with)
		}
		arm := scenario.Arm{Name: name}
		var v settings.Values
		for _, s := range strings.Fields(set) {
			key, value, ok := strings.Cut(s, "=")
			if !ok || key == "" {
				return nil, fmt.Errorf("--arm %q: want 'NAME: SETTING=VALUE ...'", text)
			}
			if err := v.Set(key, value); err != nil {
				return nil, fmt.Errorf("--arm %s: %w", name, err)
			}
			arm.Env = append(arm.Env, scenario.Setting{Name: key, Value: scenario.Value{Text: value}})
		}
		arms = append(arms, arm)
	}
	return arms, nil
}

// hasTrace says that some case of a file plays a trace.
func hasTrace(file *scenario.File) bool {
	return slices.ContainsFunc(file.Cases, func(c scenario.Case) bool { return c.Workload != nil && c.Workload.Trace != nil })
}
