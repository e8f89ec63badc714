package core

import (
	"slices"
	"testing"
)

// fake is a device of virtual time: what work takes is a function, and drafts
// are kept by draws keyed by the reply and the position, whatever is asked.
type fake struct {
	s     *Scheduler
	now   Micros
	round func(Shape) float64 // milliseconds
	pass  func(Asked) float64
	// text is the chance that a draft at a position of a reply is right, score
	// the confidence that the drafter has in it.
	text  func(id ID, at int) float64
	score func(chance float64) float64
	seed  uint64

	out     Outcome
	tokens  []int // by reply
	rounds  int
	asked   []int // asks by reply
	passing Micros
}

// newFake decodes replies without end under a configuration. What is not set
// afterwards is as believed: costs, and a drafter that knows its chances.
func newFake(tb testing.TB, cfg Config) *fake {
	tb.Helper()
	s, err := New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	d := &fake{s: s, tokens: make([]int, cfg.Lanes), asked: make([]int, cfg.Lanes)}
	d.round = func(s Shape) float64 { return millis(cfg.Prices.Round(s)) }
	d.pass = func(a Asked) float64 { return millis(cfg.Prices.Pass(a)) }
	d.text = func(ID, int) float64 { return 0.5 }
	d.score = func(chance float64) float64 { return chance }
	for k := range cfg.Lanes {
		if err := s.Submit(0, Request{ID: ID(k), Prompt: 1, Output: 1 << 40}); err != nil {
			tb.Fatal(err)
		}
	}
	for s.Decoding() < cfg.Lanes {
		a := s.Next(0)
		d.out.Rows, d.out.Slots = a.Rows, d.out.Slots[:0]
		for range a.Windows {
			d.out.Slots = append(d.out.Slots, SlotOutcome{Emitted: 1})
		}
		for _, k := range a.Asks {
			for range k.Depth {
				d.out.Confidences = append(d.out.Confidences, 0.5)
			}
		}
		if err := s.Done(0, &d.out); err != nil {
			tb.Fatal(err)
		}
		d.out.Confidences = d.out.Confidences[:0]
	}
	return d
}

// draw is a number of [0, 1) that belongs to a seed and two keys.
func draw(seed, a, b uint64) float64 {
	x := seed*0x9e3779b97f4a7c15 + a*0xbf58476d1ce4e5b9 + b*0x94d049bb133111eb
	for range 2 {
		x ^= x >> 31
		x *= 0x7fb5d329728ea185
		x ^= x >> 27
		x *= 0x81dadef4bc2dd44d
	}
	return float64(x>>11) / (1 << 53)
}

func (d *fake) act() *Action {
	a := d.s.Next(d.now)
	o := &d.out
	*o = Outcome{Slots: o.Slots[:0], Confidences: o.Confidences[:0]}
	switch a.Kind {
	case Pass:
		for _, k := range a.Asks {
			d.asked[k.ID]++
			for j := range k.Depth {
				c := d.score(d.text(k.ID, d.tokens[k.ID]+j))
				o.Confidences = append(o.Confidences, min(max(c, 0), 1))
			}
		}
		o.Wall = Micros(1000 * d.pass(AskedBy(a.Asks)))
		d.passing += o.Wall
	case Round:
		for _, w := range a.Windows {
			kept, at := 0, d.tokens[w.ID]
			right := func(j int) bool { return draw(d.seed, uint64(w.ID), uint64(at+j)) < d.text(w.ID, at+j) }
			for kept < w.Drafts && right(kept) {
				kept++
			}
			o.Slots = append(o.Slots, SlotOutcome{Kept: kept, Emitted: kept + 1, Matched: right(0)})
			d.tokens[w.ID] += kept + 1
		}
		o.Wall = Micros(1000 * d.launch(a.Windows))
		d.rounds++
	}
	o.Device = o.Wall
	d.now += o.Wall
	before := *a
	if err := d.s.Done(d.now, o); err != nil {
		panic(err)
	}
	return &before
}

// launch is what windows take, pass by pass over the weights.
func (d *fake) launch(windows []Window) (ms float64) {
	p := d.s.cfg.Packing
	left := make([]int, 0, len(windows))
	shape := Shape{Windows: len(windows)}
	for _, w := range windows {
		left = append(left, p.Padded(w.Rows()))
		shape.Rows += p.Padded(w.Rows())
	}
	if !p.Equal {
		return d.round(shape)
	}
	for len(left) > 0 {
		least := slices.Min(left)
		ms += d.round(Shape{len(left), least * len(left)})
		for i := range left {
			left[i] -= least
		}
		left = slices.DeleteFunc(left, func(n int) bool { return n == 0 })
	}
	return ms
}

// run does rounds, and what comes before them.
func (d *fake) run(rounds int) {
	for end := d.rounds + rounds; d.rounds < end; {
		d.act()
	}
}

// fakeConfig is the default with the plain switch off.
func fakeConfig(rule DraftRule, streams int, prices Prices) Config {
	cfg := DefaultConfig()
	cfg.Lanes, cfg.Rule, cfg.Prices, cfg.PlainStreams, cfg.Steps = streams, rule, prices, 0, true
	return cfg
}
