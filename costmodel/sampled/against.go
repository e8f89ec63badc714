package sampled

import "github.com/tfsim/tfsim/costmodel"

// Work is one kind of work that was timed: what it took in all and what a table
// prices it at, in ms.
type Work struct {
	Kind             string
	Times            int
	TookMs, PricedMs float64
}

// Against prices what was timed by a table, in kinds that are named as in
// results: rounds, steps, passes and restores, those that there are.
func (s *Set) Against(t *costmodel.Table) []Work {
	rounds, steps, passes, restores := Work{Kind: "rounds"}, Work{Kind: "steps"}, Work{Kind: "passes"}, Work{Kind: "restores"}
	for _, l := range s.Launches {
		ms := launchPrice(t, l)
		if t.Prompt != nil {
			ms += float64(t.Prompt.After(l.Cold)) / 1e6
		}
		rounds.add(l.Ms, ms)
	}
	for _, c := range s.Chunks {
		n, _ := t.Chunk(c.Rows, c.From, true)
		if t.Prompt != nil {
			if c.Idle {
				n += t.Prompt.Idle(n)
			}
			if c.First {
				n += t.Prompt.Begin()
			}
			if c.Last {
				n += t.Prompt.Finish(c.From + c.Rows)
			}
		}
		steps.add(c.Ms, float64(n)/1e6)
	}
	for _, x := range s.Passes {
		passes.add(x.Ms, passPrice(t, x))
	}
	for _, x := range s.Restores {
		restores.add(x.Ms, float64(t.Restore(x.Rows))/1e6)
	}
	var there []Work
	for _, w := range []Work{rounds, steps, passes, restores} {
		if w.Times > 0 {
			there = append(there, w)
		}
	}
	return there
}

func (w *Work) add(took, priced float64) {
	w.Times++
	w.TookMs += took
	w.PricedMs += priced
}
