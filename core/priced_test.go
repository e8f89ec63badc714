package core

import (
	"math"
	"math/rand/v2"
	"testing"
)

// priceTable has a price for every row, an optional second launch from row 17,
// and passes whose further asks and catch-ups cost.
type priceTable struct {
	rows            [64]Nanos
	pass, ask, late Nanos
}

func drawPrices(r *rand.Rand) *priceTable {
	p := &priceTable{pass: Nanos(r.IntN(15e6)), ask: Nanos(r.IntN(2) * r.IntN(3e6)), late: Nanos(r.IntN(2) * r.IntN(3e6))}
	at := Nanos(20e6)
	step := Nanos(r.IntN(2) * r.IntN(20e6))
	for k := range p.rows {
		if k == 16 {
			at += step
		}
		p.rows[k] = at
		at += Nanos(r.IntN(8e6))
	}
	return p
}

func (p *priceTable) Round(s Shape) Nanos { return p.rows[s.Rows-1] }

func (p *priceTable) Pass(a Asked) Nanos {
	return p.pass + p.ask*Nanos(a.Asks-1) + p.late*Nanos(a.CatchUps)
}

func (p *priceTable) Cheapest(s Shape) Shape { return s }

// pricedCase is a scheduler of the first priced rule before its choice of
// asks: the streams seen promise what their last passes did.
func pricedCase(t *testing.T, r *rand.Rand, streams int, fresh float64) *Scheduler {
	cfg := DefaultConfig()
	cfg.Lanes, cfg.Rule, cfg.Prices = streams, RulePriced1, drawPrices(r)
	cfg.DepthRows = streams + r.IntN(5*streams+1)
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for j := range s.calib.kept {
		s.calib.kept[j], s.calib.promised[j] = 30*r.Float64(), 30*r.Float64()
	}
	for slot := range streams {
		i := s.newStream(0, Request{ID: ID(slot), Prompt: 1, Output: 100})
		st := &s.streams[i]
		st.phase, st.slot, st.seq = decoding, slot, int64(slot)
		s.slots[slot] = i
		s.decoding++
		s.round.streams = append(s.round.streams, i)
		if r.Float64() >= fresh {
			st.worth.passes = 1 + r.IntN(5)
		}
		for j := range st.worth.scores {
			st.worth.scores[j] = r.Float64()
		}
		if r.IntN(6) > 0 {
			s.action.Asks = append(s.action.Asks, Ask{Slot: slot, ID: ID(slot), Depth: 1 + r.IntN(5), CatchUp: r.IntN(2) * r.IntN(9)})
		}
	}
	return s
}

// pricedPlan is the expected tokens a millisecond of a plan: depths by ask,
// those of fresh streams 0 although they ask.
func pricedPlan(s *Scheduler, asks []Ask, depths []int) float64 {
	n := len(s.round.streams)
	tokens, rows, asked, late := float64(n), n, 0, 0
	for k, a := range asks {
		st := &s.streams[s.slots[a.Slot]]
		if depths[k] == 0 && st.worth.passes > 0 {
			continue
		}
		asked++
		if a.CatchUp > 0 {
			late++
		}
		rows += depths[k]
		chain := 1.0
		for j := range depths[k] {
			p := min(j, 4)
			factor := (s.calib.kept[p] + 2) / (s.calib.promised[p] + 2)
			chain *= math.Min(st.worth.scores[j]*math.Min(math.Max(factor, 0.2), 3), 0.995)
			tokens += chain
		}
	}
	nanos := s.cfg.Prices.Round(Shape{n, rows})
	if asked > 0 {
		nanos += s.cfg.Prices.Pass(Asked{Asks: asked, Depth: s.askDepth(), CatchUps: late})
	}
	return tokens / (float64(nanos) / 1e6)
}

// bestPlan tries every set of asks with every vector of depths.
func bestPlan(s *Scheduler, asks []Ask) float64 {
	best := 0.0
	depths := make([]int, len(asks))
	var try func(k, rows int)
	try = func(k, rows int) {
		if k == len(asks) {
			best = max(best, pricedPlan(s, asks, depths))
			return
		}
		most := min(asks[k].Depth, s.cfg.DepthRows-rows)
		if s.streams[s.slots[asks[k].Slot]].worth.passes == 0 {
			most = 0
		}
		for d := range most + 1 {
			depths[k] = d
			try(k+1, rows+d)
		}
		depths[k] = 0
	}
	try(0, len(s.round.streams))
	return best
}

// TestPricedAsksPayByTheirOwnObjective: in 3,000 cases without a fresh stream
// or a probe, no plan is priced below all-plain.
func TestPricedAsksPayByTheirOwnObjective(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for n := range 3000 {
		s := pricedCase(t, r, 1+r.IntN(8), 0)
		asks := append([]Ask(nil), s.action.Asks...)
		plain := pricedPlan(s, nil, nil)
		s.pricedAsks()
		if got := pricedPlan(s, asks, s.joint.low); got < plain-1e-9 {
			t.Fatalf("case %d: a plan of depths %v gives %g tokens a millisecond, plain rounds %g", n, s.joint.low, got, plain)
		}
	}
}

// TestPricedAsksAreTheBest: up to three streams, no set of asks and no depths
// are priced better than those chosen.
func TestPricedAsksAreTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	for n := range 3000 {
		s := pricedCase(t, r, 1+r.IntN(3), 0.1)
		asks := append([]Ask(nil), s.action.Asks...)
		best := bestPlan(s, asks)
		s.pricedAsks()
		if got := pricedPlan(s, asks, s.joint.low); math.Abs(got-best) > 1e-9 {
			t.Fatalf("case %d: asks %v at depths %v give %g tokens a millisecond, the best plan %g", n, asks, s.joint.low, got, best)
		}
		want := 0
		for k, a := range asks {
			if s.joint.low[k] > 0 || s.streams[s.slots[a.Slot]].worth.passes == 0 {
				if want >= len(s.action.Asks) || s.action.Asks[want] != a {
					t.Fatalf("case %d: asks %v of %v at depths %v", n, s.action.Asks, asks, s.joint.low)
				}
				want++
			}
		}
		if want != len(s.action.Asks) {
			t.Fatalf("case %d: asks %v at depths %v", n, s.action.Asks, s.joint.low)
		}
	}
}
