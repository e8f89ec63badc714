package study

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/replay"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/workload"
)

// Options change how a file is played.
type Options struct {
	// Set are settings that win over the file's and the arms'.
	Set []Assignment
	// Arms and Cases, if not empty, leave out all others.
	Arms, Cases []string
	// Machine, if not empty, replaces the file's.
	Machine string
	// Noise and Seed, if not nil, replace those of every world.
	Noise *float64
	Seed  *uint64
	// Repeat plays each cell with so many seeds; 0 is 1.
	Repeat int
	// Workers bounds the runs at a time; 0 is one for each core.
	Workers int
	// Events, if not nil, gets the events of every run as JSON lines. Runs
	// then go one after another.
	Events io.Writer
	// Watch, if not nil, is asked before each run for a sink of its events;
	// nil is none. Runs ask from goroutines of their own.
	Watch func(Watched) core.Sink
	// Progress, if not nil, is told of runs done and in total, from one
	// goroutine at a time.
	Progress func(done, total int)
	// Part, if not nil, is told how much of all runs is done, 0 to 1, also in
	// the middle of runs of traces; from one goroutine at a time.
	Part func(done float64)
}

// Assignment is a setting given by name.
type Assignment struct{ Name, Text string }

// Play plays a file. An error about the file or an option names the place.
func Play(ctx context.Context, f *scenario.File, o Options) (*result.Document, error) {
	plan, err := newPlan(f, o)
	if err != nil {
		return nil, err
	}
	if err := plan.run(ctx); err != nil {
		return nil, err
	}
	return plan.document(), nil
}

// Check says what is wrong with a file beyond its form: its machine, loads
// and settings.
func Check(f *scenario.File, o Options) error {
	_, err := newPlan(f, o)
	return err
}

// plan is what there is to run.
type plan struct {
	file  *scenario.File
	table *costmodel.Table
	opts  Options
	cells []*cell
}

// cell is one world, case and arm, with a run for each seed.
type cell struct {
	world scenario.World
	case_ *scenario.Case
	arm   *arm
	runs  []result.Run
	notes []string
}

func newPlan(f *scenario.File, o Options) (*plan, error) {
	p := &plan{file: f, opts: o}
	p.opts.Repeat = max(o.Repeat, 1)
	var err error
	if p.table, err = open(f, o.Machine); err != nil {
		return nil, err
	}
	if err := scenario.Check(f, p.table.Machine, loads(p.table)); err != nil {
		return nil, err
	}
	if err := readable(f, o.Cases); err != nil {
		return nil, err
	}
	if err := known("case", o.Cases, f.Cases, func(c scenario.Case) string { return c.Name }); err != nil {
		return nil, err
	}
	if err := known("arm", o.Arms, f.Arms, func(a scenario.Arm) string { return a.Name }); err != nil {
		return nil, err
	}
	var arms []*arm
	for i := range f.Arms {
		if len(o.Arms) > 0 && !slices.Contains(o.Arms, f.Arms[i].Name) {
			continue
		}
		a, err := newArm(f, &f.Arms[i], o.Set, p.table)
		if err != nil {
			return nil, err
		}
		arms = append(arms, a)
	}
	for _, w := range f.Worlds {
		if o.Noise != nil {
			w.Noise = *o.Noise
		}
		if o.Seed != nil {
			w.Seed = *o.Seed
		}
		for i := range f.Cases {
			c := &f.Cases[i]
			if len(o.Cases) > 0 && !slices.Contains(o.Cases, c.Name) {
				continue
			}
			for _, a := range arms {
				p.cells = append(p.cells, &cell{world: w, case_: c, arm: a, runs: make([]result.Run, p.opts.Repeat)})
			}
		}
	}
	return p, nil
}

// open finds the machine; an error about the file's own names its place.
func open(f *scenario.File, instead string) (*costmodel.Table, error) {
	if instead != "" {
		return costmodel.Open(instead)
	}
	t, err := costmodel.Open(f.Machine)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.At(f.MachinePos.Line, f.MachinePos.Col), err)
	}
	return t, nil
}

// readable refuses a case whose trace cannot be read at its beginning.
func readable(f *scenario.File, cases []string) error {
	for i := range f.Cases {
		c := &f.Cases[i]
		if c.Workload == nil || c.Workload.Trace == nil || len(cases) > 0 && !slices.Contains(cases, c.Name) {
			continue
		}
		source, err := workload.Open(f, c, f.Worlds[0].Seed)
		if err != nil {
			return err
		}
		source.(*workload.Traced).Close()
	}
	return nil
}

func loads(t *costmodel.Table) []string {
	names := slices.Clone(replay.Loads)
	for name := range t.Drafts.Loads {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// known refuses a filter that names nothing.
func known[T any](what string, wanted []string, all []T, name func(T) string) error {
	var names []string
	for _, x := range all {
		names = append(names, name(x))
	}
	for _, w := range wanted {
		if !slices.Contains(names, w) {
			return fmt.Errorf("no %s %q in the file; it has %q", what, w, names)
		}
	}
	return nil
}

// run plays every cell and seed. The first error in the plan's order wins.
func (p *plan) run(ctx context.Context) error {
	workers := p.opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if p.opts.Events != nil {
		workers = 1
	}
	total := len(p.cells) * p.opts.Repeat
	errs := make([]error, total)
	next := make(chan int)
	var wait sync.WaitGroup
	told := &told{opts: &p.opts, parts: make([]float64, total)}
	for range min(workers, total) {
		wait.Go(func() {
			for i := range next {
				errs[i] = guard(func() error {
					return p.one(ctx, p.cells[i/p.opts.Repeat], i%p.opts.Repeat, func(part float64) { told.part(i, part) })
				})
				if errs[i] == nil {
					told.ended(i)
				}
			}
		})
	}
	for i := range total {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("stopped after %d of %d runs: %w", told.done, total, err)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) document() *result.Document {
	d := &result.Document{Scenario: p.file.Name, Machine: p.table.Machine}
	for _, c := range p.cells {
		d.Results = append(d.Results, result.Entry{
			World: c.world.Name, Case: c.case_.Name, Arm: c.arm.name,
			Run: result.Merge(c.runs), Notes: append(slices.Clone(c.arm.notes), c.notes...),
		})
	}
	for _, e := range p.file.Expect {
		d.Expect = append(d.Expect, p.expect(d, e))
	}
	return d
}
