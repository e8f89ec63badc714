package sampled

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
)

// Pass is a drafter pass that was timed; Context is as of a Launch.
type Pass struct {
	core.Asked
	Context int
	Ms      float64
}

// leastPart is the least part of a pass that is told to go by its depth: less
// may well be chance.
const leastPart = 0.05

// passes makes the price of a pass, by least squares: a part that every pass
// takes and one for each draft of its depth.
func (s *Set) passes(t *costmodel.Table) {
	t.Drafter = nil
	if len(s.Passes) == 0 {
		return
	}
	p := newPlane(7)
	deepest := 1
	for _, x := range s.Passes {
		more, depth := float64(x.Asks-1), float64(x.Depth)
		p.add(x.Ms, more, depth, depth*more, float64(x.Context)/1000, float64(x.CatchUps), float64(x.Rounds), float64(x.Unread))
		deepest = max(deepest, x.Depth)
	}
	k := p.solve()
	// at is what a pass of some depth takes with one ask, and what each further
	// ask adds.
	at := func(depth int) (one, more float64) {
		return max(k[0]+float64(k[2]*float64(depth)), 0), max(k[1]+float64(k[3]*float64(depth)), 0)
	}
	block := max(t.Drafts.Block, deepest)
	one, more := at(block)
	d := &costmodel.Drafter{
		Ms: round(one), AskMs: round(more),
		IngestMs: round(max(k[5], 0)), IngestRoundMs: round(max(k[6], 0)), UnreadMs: round(max(k[7], 0)),
	}
	part := 0.0
	if least, _ := at(1); block > 1 && one > 0 {
		part = float64((1-least/one)*float64(block)) / float64(block-1)
	}
	if part >= leastPart {
		d.ByDepth = round(min(part, 1))
	}
	// Contexts are told of a whole block as well.
	d.ContextMsPer1K = round(max(k[4], 0) / s.meanPart(d.ByDepth, block))
	t.Drafter = d
	s.level(t)
}

// level makes passes as dear as they typically are: least squares that leave out
// what is far off tell how passes differ, and less what many of them take.
func (s *Set) level(t *costmodel.Table) {
	var parts []float64
	for _, x := range s.Passes {
		if ms := passPrice(t, x); ms > 0 {
			parts = append(parts, x.Ms/ms)
		}
	}
	if len(parts) == 0 {
		return
	}
	d, part := t.Drafter, typical(parts)
	for _, ms := range []*float64{&d.Ms, &d.AskMs, &d.ContextMsPer1K, &d.IngestMs, &d.IngestRoundMs, &d.UnreadMs} {
		*ms = round(*ms * part)
	}
}

// meanPart is the part of a whole block that passes take on the mean.
func (s *Set) meanPart(byDepth float64, block int) float64 {
	sum := 0.0
	for _, x := range s.Passes {
		sum += 1 - float64(byDepth*float64(block-min(max(x.Depth, 1), block)))/float64(block)
	}
	return sum / float64(len(s.Passes))
}

// passPrice is what the table says that a pass takes, in ms.
func passPrice(t *costmodel.Table, x Pass) float64 {
	n, _ := t.Pass(costmodel.Asked{Asked: x.Asked, Context: int64(x.Context), Longest: int64(x.Context / max(x.Asks, 1))})
	return float64(n) / 1e6
}
