package tune

import (
	"context"
	"fmt"
)

// stage is what samples are for.
type stage uint8

const (
	searching stage = iota
	settling
	answering
)

// seed is the seed of a stage's sample.
func (s stage) seed(at int) int { return int(s)<<20 + at }

// pool has batches of samples played and counts them.
type pool struct {
	ctx    context.Context
	of     Evaluator
	runner Runner
	// budget bounds the runs; limit is the part of it that may be used now.
	budget, limit int
	runs          int
	// least is the part that a difference must have to matter.
	least    float64
	progress func(done, total int)
	// stopped says that the context ended.
	stopped bool
	err     error
}

func newPool(ctx context.Context, of Evaluator, o Options) *pool {
	p := &pool{ctx: ctx, of: of, runner: o.Runner, budget: o.Budget, limit: o.Budget, least: o.Least, progress: o.Progress}
	if p.runner == nil {
		p.runner = NewLocal(of, 0)
	}
	return p
}

// room is the number of samples that the limit leaves.
func (p *pool) room() int {
	if p.stopped || p.err != nil {
		return 0
	}
	return max(0, (p.limit-p.runs)/p.of.Runs())
}

// wanted is one sample to play.
type wanted struct {
	trial *trial
	stage stage
	at    int // place in the samples
}

// of are the trial's samples of a stage.
func (t *trial) of(s stage) *[]Sample {
	return [...]*[]Sample{&t.samples, &t.settled, &t.fresh}[s]
}

// extend brings trials to n samples each, in order, as far as the limit goes.
// It gives those that have them.
func (p *pool) extend(trials []*trial, n int, s stage) []*trial {
	var batch []wanted
	room := p.room()
	for _, t := range trials {
		have := len(*t.of(s))
		if n-have > room {
			break
		}
		for at := have; at < n; at++ {
			batch = append(batch, wanted{t, s, at})
			room--
		}
	}
	p.play(batch)
	var done []*trial
	for _, t := range trials {
		if len(*t.of(s)) >= n {
			done = append(done, t)
		}
	}
	return done
}

// play plays a batch. What a trial gets of it is whole up to its first sample
// that is missing.
func (p *pool) play(batch []wanted) {
	if len(batch) == 0 {
		return
	}
	units := make([]Unit, len(batch))
	for i, w := range batch {
		units[i] = Unit{w.trial.point, w.stage.seed(w.at)}
	}
	got := make([]Sample, len(batch))
	errs := make([]error, len(batch))
	ok := make([]bool, len(batch))
	err := p.runner.Run(p.ctx, units, func(i int, s Sample, err error) {
		got[i], errs[i], ok[i] = s, err, err == nil
		p.runs += p.of.Runs()
		if p.progress != nil {
			p.progress(p.runs, max(p.budget, p.runs))
		}
	})
	p.stopped = p.stopped || p.ctx.Err() != nil
	for i, w := range batch {
		if all := w.trial.of(w.stage); ok[i] && len(*all) == w.at {
			*all = append(*all, got[i])
		}
		if errs[i] != nil && p.err == nil {
			p.err = fmt.Errorf("candidate %q: %w", w.trial.point, errs[i])
		}
	}
	if p.err == nil {
		p.err = err
	}
}
