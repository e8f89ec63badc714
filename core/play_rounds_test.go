package core

import (
	"strconv"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// tally is what rounds did for one request.
type tally struct{ asks, drafts, kept, tokens int }

// rounds does so many rounds, and the passes before them, at the costs that
// are believed. A draft is kept by a draw that its request and position own.
func (p *play) rounds(t *testing.T, d *datadriven.TestData) {
	chance := map[ID]float64{}
	for _, a := range d.CmdArgs[1:] {
		c, err := strconv.ParseFloat(a.Vals[0], 64)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		chance[p.id(a.Key)] = c
	}
	rounds, passes := atoi(t, d, d.CmdArgs[0].Key), 0
	tallies := make([]tally, len(p.names))
	p.quiet = true
	defer func() { p.quiet = false }()
	for n := 0; n < rounds; {
		a := p.s.Next(p.now)
		o := p.whole(a, 0, 0)
		at := 0
		switch a.Kind {
		case Pass:
			passes++
			for _, k := range a.Asks {
				tallies[k.ID].asks++
				for range k.Depth {
					o.Confidences[at] = chance[k.ID]
					at++
				}
			}
			o.Wall = Micros(p.s.cfg.Prices.Pass(AskedBy(a.Asks)) / 1000)
		case Round:
			n++
			shape := Shape{Windows: len(a.Windows)}
			for k, w := range a.Windows {
				shape.Rows += w.Rows()
				right := func(j int) bool { return draw(0, uint64(w.ID), uint64(w.Position+j)) < chance[w.ID] }
				kept := 0
				for kept < w.Drafts && right(kept) {
					kept++
				}
				o.Slots[k] = SlotOutcome{Kept: kept, Emitted: kept + 1, Matched: right(0)}
				x := &tallies[w.ID]
				x.drafts, x.kept, x.tokens = x.drafts+w.Drafts, x.kept+kept, x.tokens+kept+1
			}
			o.Wall = Micros(p.s.cfg.Prices.Round(shape) / 1000)
		case Step:
			o.Wall = Micros(a.Rows) * 1000
		default:
			d.Fatalf(t, "a %s between rounds", a.Kind)
		}
		o.Device = o.Wall
		p.now += o.Wall
		if err := p.s.Done(p.now, o); err != nil {
			d.Fatalf(t, "%v", err)
		}
	}
	p.tell("%s after %d rounds and %d passes", span(p.now), rounds, passes)
	for k, x := range tallies {
		if x.tokens > 0 {
			p.tell("  %s asks %d times, keeps %d of %d drafts, +%d", p.name(ID(k)), x.asks, x.kept, x.drafts, x.tokens)
		}
	}
}
