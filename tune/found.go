package tune

import (
	"cmp"
	"slices"
)

// Found is what a search came to.
type Found struct {
	Space *Space
	// Winner is the best point, Default the one that sets nothing; Second is
	// the best of those that set something else, nil if there is none.
	Winner, Default, Second *Candidate
	// Starts are the points that were tried first, in their order; nil for one
	// that was refused.
	Starts []*Candidate
	// Sensitivity is of each setting of the winner.
	Sensitivity []Sensitivity
	// Confirmed says that the samples are of fresh seeds.
	Confirmed bool
	// Whole says that the whole space was tried, End how the search ended.
	Whole bool
	End   string
	// Candidates were compared, of which Twins play like another.
	Candidates, Twins int
	Runs, Budget      int
	Least             float64
}

// Candidate is a point and its samples.
type Candidate struct {
	Point   Point
	Samples []Sample
}

// Cost is the first objective's estimate.
func (c *Candidate) Cost() Estimate { return c.Objective(0) }

// Objective is the estimate of one objective's cost.
func (c *Candidate) Objective(i int) Estimate {
	return sure.estimate(len(c.Samples), func(k int) float64 { return c.Samples[k].Costs[i] })
}

// Part is the estimate of a constraint's part: value, bound and excess.
func (c *Candidate) Part(i int) (value, bound, excess Estimate) {
	of := func(get func(Part) float64) Estimate {
		return sure.estimate(len(c.Samples), func(k int) float64 { return get(c.Samples[k].Parts[i]) })
	}
	return of(func(p Part) float64 { return p.Value }), of(func(p Part) float64 { return p.Bound }),
		of(func(p Part) float64 { return p.Excess })
}

// Holds says that the constraints hold on average.
func (c *Candidate) Holds() bool { return stand(c.Samples).holds() }

// Over is by how much c costs more than another.
func (c *Candidate) Over(other *Candidate) Estimate { return sure.difference(c.Samples, other.Samples) }

// found plays the candidates of the answer with fresh seeds.
func (s *search) found() *Found {
	f := &Found{Space: s.space, Whole: s.whole, End: s.end, Budget: s.budget, Least: s.opts.Least}
	base := s.get(s.space.Default())
	second := s.second()
	var starts []*trial
	for _, p := range s.opts.Starts {
		starts = append(starts, s.get(p))
	}
	var all []*trial
	for _, t := range slices.Concat([]*trial{s.winner, base, second}, starts) {
		if t != nil && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	// What is kept of the budget is for this and for the sensitivity.
	n := min(confirmSeeds, s.room()*2/3/len(all))
	f.Confirmed = n >= firstRung && len(s.extend(all, n, answering)) == len(all)
	give := func(t *trial) *Candidate {
		switch {
		case t == nil:
			return nil
		case f.Confirmed:
			return &Candidate{t.point, t.fresh}
		case len(t.samples) == 0:
			return nil
		}
		return &Candidate{t.point, t.samples}
	}
	if f.Confirmed {
		was := s.winner
		if s.winner = f.overturned(s.winner, all); s.winner != was {
			second = was
		}
	}
	f.Winner, f.Default, f.Second = give(s.winner), give(base), give(second)
	for _, t := range starts {
		f.Starts = append(f.Starts, give(t))
	}
	if f.Confirmed {
		f.Sensitivity = s.sensitivity()
	}
	f.Runs, f.Candidates = s.runs, 0
	for _, t := range s.trials {
		if t.twin != nil {
			f.Twins++
		}
		if len(t.samples) >= screen {
			f.Candidates++
		}
	}
	if s.stopped {
		f.End = EndInterrupted
	}
	return f
}

// overturned is the winner, or whichever of those confirmed with it keeps
// constraints that it breaks with fresh seeds, or beats it by what matters and
// far beyond the noise: a choice made now must not be one of luck.
func (f *Found) overturned(winner *trial, all []*trial) *trial {
	best := winner
	for _, t := range all {
		x, y := stand(t.fresh), stand(best.fresh)
		d := strict.difference(best.fresh, t.fresh)
		if x.holds() && (!y.holds() || d.Low > matters(f.Least, x.cost, y.cost)) {
			best = t
		}
	}
	return best
}

// second is the best candidate that does not merely add to the winner and does
// not give the same.
func (s *search) second() *trial {
	other := func(t *trial) bool {
		if t == s.winner || t.twin != nil || len(t.samples) < firstRung || t.point.extends(s.winner.point) && s.winner.point.Set() > 0 {
			return false
		}
		d := sure.difference(t.samples, s.winner.samples)
		return d.Mean != 0 || d.Low != d.High
	}
	pick := func(all []*trial) *trial {
		var best *trial
		for _, t := range all {
			if other(t) && (best == nil || s.ahead(t, best)) {
				best = t
			}
		}
		return best
	}
	if t := pick(s.left); t != nil {
		return t
	}
	return pick(s.trials)
}

// ahead compares two trials on the seeds of both.
func (s *search) ahead(a, b *trial) bool {
	n := min(len(a.samples), len(b.samples))
	return cmp.Or(before(n)(a, b), a.place-b.place) < 0
}
