package capacity

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tune/goal"
)

// Options of a measurement.
type Options struct {
	// Seeds is the number of seeds, at least 1.
	Seeds int
	// Close is the part to which a rate is found, over 0.
	Close float64
	// Workers bounds the runs at a time; 0 is one for each core.
	Workers int
	// Progress, if not nil, is told of limits found and of all to find.
	Progress func(done, total int)
}

// job is one limit to find: a place under an arm with a seed.
type job struct {
	place, arm, seed int
	limit            limit
	done             bool
}

// Measure finds the capacity of a file's workloads under its arms. If the
// context ends, the report has what is done.
func Measure(ctx context.Context, p *study.Probe, targets []goal.Constraint, o Options) (*Report, error) {
	var jobs []job
	for place, at := range p.Places() {
		for arm := range p.Arms() {
			for seed := 0; at.Case.Workload != nil && seed < o.Seeds; seed++ {
				jobs = append(jobs, job{place: place, arm: arm, seed: seed})
			}
		}
	}
	if len(jobs) == 0 {
		return nil, errors.New("no case has a workload; capacity is of arrivals at a rate, or of users")
	}
	for _, t := range targets {
		if err := known(p, t); err != nil {
			return nil, err
		}
	}
	if err := findAll(ctx, p, targets, o, jobs); err != nil {
		return nil, err
	}
	return report(p, targets, o, jobs, ctx.Err() != nil), nil
}

// findAll works on the jobs on all cores. The first error in their order wins.
func findAll(ctx context.Context, p *study.Probe, targets []goal.Constraint, o Options, jobs []job) error {
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, len(jobs))
	next := make(chan int)
	var wait sync.WaitGroup
	var lock sync.Mutex
	done := 0
	for range min(workers, len(jobs)) {
		wait.Go(func() {
			for i := range next {
				errs[i] = jobs[i].find(ctx, p, targets, o)
				jobs[i].done = errs[i] == nil
				lock.Lock()
				if done++; o.Progress != nil {
					o.Progress(done, len(jobs))
				}
				lock.Unlock()
			}
		})
	}
	for i := range jobs {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wait.Wait()
	if ctx.Err() != nil {
		return nil
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (j *job) find(ctx context.Context, p *study.Probe, targets []goal.Constraint, o Options) (err error) {
	c := p.Places()[j.place].Case
	a := c.Workload.Arrivals
	s := scale{whole: a.Process == scenario.Closed, close: o.Close}
	start := a.Rate
	switch {
	case c.Workload.Trace != nil:
		start = c.Workload.Trace.Speed
	case s.whole:
		start = float64(a.Users)
	}
	single := slices.ContainsFunc(targets, func(t goal.Constraint) bool { return t.PerRequest() })
	j.limit, err = s.find(start, func(load float64) (cause, error) {
		run, err := p.Play(ctx, j.place, p.Arms()[j.arm], study.Trial{Seed: uint64(j.seed), Case: loaded(c, load, single)})
		if err != nil {
			return cause{}, err
		}
		return broken(&run.Run, c.Name, targets), nil
	})
	return err
}

// loaded is a case with another load.
func loaded(c *scenario.Case, load float64, single bool) *scenario.Case {
	out, w := *c, *c.Workload
	w.PerRequest = w.PerRequest || single
	switch {
	case w.Trace != nil:
		t := *w.Trace
		t.Speed = load
		w.Trace = &t
	case w.Arrivals.Process == scenario.Closed:
		w.Arrivals.Users = int(load)
	default:
		w.Arrivals.Rate = load
	}
	out.Workload = &w
	return &out
}

// broken says which target a run breaks.
func broken(r *result.Run, name string, targets []goal.Constraint) cause {
	if r.Saturated {
		return cause{why: "saturated"}
	}
	if r.Totals.Failed > 0 {
		return cause{why: "requests refused or failed"}
	}
	for _, t := range targets {
		if t.Case != "" && t.Case != name {
			continue
		}
		v := t.Of(r)
		if !v.Valid {
			return cause{why: "no figure of " + t.Metric.String(), none: true}
		}
		if t.Excess(v.Value, t.Number) > 0 {
			return cause{why: t.String()}
		}
	}
	return cause{}
}
