package recorded

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/costmodel/sampled"
)

// rounds time launches. What a round of several passes over the weights took
// tells little of each: it counts only where no round had one.
type rounds struct {
	cold     int // place of the next round after the last prompt step, from 1
	single   []sampled.Launch
	several  []sampled.Launch
	windows  []costmodel.StreamWindow
	launches []costmodel.Load
}

// passes gives the passes over the weights that a round took, as the device
// lays its windows out.
func (r *rounds) passes(a *core.Action, p core.Packing) []costmodel.Load {
	r.launches = r.launches[:0]
	at := 0
	for _, n := range a.Launches {
		var l costmodel.Load
		r.windows = r.windows[:0]
		if n < 0 || n > len(a.Windows)-at {
			return nil // an altered record, which will not replay
		}
		for _, w := range a.Windows[at : at+n] {
			tokens := int64(w.Position)
			l.Windows, l.Rows = l.Windows+1, l.Rows+p.Padded(w.Rows())
			l.Context, l.Longest = l.Context+tokens, max(l.Longest, tokens)
			r.windows = append(r.windows, costmodel.StreamWindow{Slot: w.Slot, Rows: w.Rows(), Tokens: tokens})
		}
		if at += n; p.Longest {
			r.launches = costmodel.Passes(r.launches, p, r.windows, 0)
			continue
		}
		r.launches = append(r.launches, l)
	}
	return r.launches
}

// timed gives who wants to know what a round took.
func (r *rounds) timed(a *core.Action, p core.Packing) func(ms float64) {
	cold := r.cold
	if cold > sampled.Colds {
		cold = 0
	}
	var of []sampled.Launch
	rows := 0
	for _, l := range r.passes(a, p) {
		context := l.Context
		if p.Longest {
			context = l.Longest * int64(l.Windows)
		}
		of = append(of, sampled.Launch{Windows: l.Windows, Rows: l.Rows, Context: int(context), Cold: cold})
		rows += l.Rows
	}
	return func(ms float64) {
		for i := range of {
			of[i].Ms = ms * float64(of[i].Rows) / float64(rows)
		}
		if len(of) == 1 {
			r.single = append(r.single, of[0])
		} else {
			r.several = append(r.several, of...)
		}
	}
}

// close tells what there is.
func (r *rounds) close(set *sampled.Set) {
	if set.Launches = r.single; len(r.single) == 0 {
		set.Launches = r.several
	}
}
