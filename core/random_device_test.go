package core

import "math/rand/v2"

// randomDevice makes outcomes by chance.
type randomDevice struct {
	*rand.Rand
	faults float64 // chance that something goes wrong with an action
	ends   float64 // chance that a text ends with a window
	out    Outcome
}

func (d *randomDevice) chance(p float64) bool { return d.Float64() < p }

func (d *randomDevice) do(a *Action) *Outcome {
	o := &d.out
	*o = Outcome{Slots: o.Slots[:0], Confidences: o.Confidences[:0]}
	o.Wall = Micros(d.IntN(2000))
	o.Device = o.Wall / 2
	if d.chance(d.faults) {
		o.Status = Failed + Status(d.IntN(2))
	}
	switch a.Kind {
	case Begin:
		o.Rows = d.IntN(a.Rows + 1)
	case Step:
		o.Rows = a.Rows
		o.End = d.chance(d.ends)
		if o.Status == OK && d.chance(d.faults) {
			o.Status, o.Rows = Aborted, d.IntN(a.Rows+1)
		}
	case Pass:
		for _, k := range a.Asks {
			for range k.Depth {
				o.Confidences = append(o.Confidences, d.Float64())
			}
		}
	case Round:
		o.EarlyHit = d.chance(0.7)
		for _, w := range a.Windows {
			o.Slots = append(o.Slots, d.window(w))
		}
	}
	return o
}

func (d *randomDevice) window(w Window) SlotOutcome {
	k := SlotOutcome{Kept: d.IntN(w.Drafts + 1), Matched: d.chance(0.5)}
	k.Emitted = k.Kept + 1
	if d.chance(d.ends) {
		k.End, k.Emitted = true, 1+d.IntN(k.Emitted)
	}
	if d.chance(d.faults / 2) {
		k.Status = Failed + Status(d.IntN(2))
	}
	return k
}

// randomPrices are drawn for each shape, so that nothing about them is smooth.
// With pads, more rows are often cheaper.
type randomPrices struct {
	seed uint64
	pads bool
}

func (p randomPrices) Round(s Shape) Nanos {
	h := rand.NewPCG(p.seed, uint64(s.Windows)<<32|uint64(s.Rows))
	return 1_000_000 + Nanos(h.Uint64()%50_000_000)
}

func (p randomPrices) Pass(a Asked) Nanos {
	return Nanos(1_000_000 * (a.Asks + a.CatchUps + int(p.seed%3)*a.Depth + int(p.seed%2)*a.Rounds + int(p.seed%5)*a.Unread))
}

func (p randomPrices) Context(rows int) Nanos { return Nanos(int(p.seed%4) * 300_000 * rows) }

func (p randomPrices) Cheapest(s Shape) Shape {
	best := s
	for more := 1; p.pads && more <= 4; more++ {
		if wide := (Shape{s.Windows, s.Rows + more}); p.Round(wide) < p.Round(best) {
			best = wide
		}
	}
	return best
}

// randomTruth is a world of which nothing was believed.
type randomTruth struct{ randomPrices }

func (t randomTruth) Round(s Shape) Nanos { return 51_000_000 - t.randomPrices.Round(s)/2 }

func (t randomTruth) Pass(a Asked, early bool) Nanos {
	if early {
		return 0
	}
	return 3 * t.randomPrices.Pass(a)
}

func (t randomTruth) Chance(slot, j int) float64 {
	return rand.New(rand.NewPCG(t.seed, uint64(slot)<<32|uint64(j))).Float64()
}
