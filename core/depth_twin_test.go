package core

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawDepths is a scheduler whose round stands before its depth choice, with
// everything that the choice reads drawn at random.
func drawDepths(t *rapid.T, windows int) *Scheduler {
	cfg := DefaultConfig()
	cfg.Lanes = windows
	cfg.Prices = randomPrices{seed: rapid.Uint64().Draw(t, "prices")}
	cfg.Joint = rapid.IntRange(1, 2).Draw(t, "joint")
	cfg.Skip = rapid.Bool().Draw(t, "skip")
	cfg.Fair = rapid.SampledFrom([]float64{0, 0.25, 0.5, 1, 2}).Draw(t, "fair")
	cfg.DepthRows = rapid.IntRange(2*windows, 6*windows).Draw(t, "depth rows")
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	score := rapid.Float64Range(0, 1)
	for j := range s.calib.kept {
		s.calib.kept[j] = 30 * score.Draw(t, "kept")
		s.calib.promised[j] = 30 * score.Draw(t, "promised")
	}
	for slot := range windows {
		i := s.newStream(0, Request{ID: ID(slot), Prompt: 1, Output: 100})
		st := &s.streams[i]
		st.phase, st.slot, st.seq = decoding, slot, int64(slot)
		s.slots[slot] = i
		s.decoding++
		st.held = rapid.IntRange(0, 5).Draw(t, "held")
		for j := range st.held {
			st.score[j] = score.Draw(t, "score")
		}
		drawRate(t, &st.rate)
		s.action.Windows = append(s.action.Windows, Window{Slot: slot, ID: ID(slot), Held: st.held})
	}
	drawRate(t, &s.rates[windows])
	return s
}

func drawRate(t *rapid.T, r *rate) {
	for range rapid.IntRange(0, 20).Draw(t, "rounds") {
		r.add(rapid.IntRange(1, 6).Draw(t, "tokens"), Nanos(rapid.IntRange(1_000_000, 90_000_000).Draw(t, "nanos")))
	}
}

// chances are the chances that the first k drafts of a window are all kept.
func chances(s *Scheduler, st *stream) []float64 {
	var list []float64
	chain := 1.0
	for j := range st.held {
		p := min(j, 4)
		factor := (s.calib.kept[p] + 2) / (s.calib.promised[p] + 2)
		factor = math.Min(math.Max(factor, 0.2), 3)
		chain *= math.Min(st.score[j]*factor, 0.995)
		list = append(list, chain)
	}
	return list
}

// remembered is the tokens a millisecond and a round of a rate's rounds.
func remembered(r *rate) (milli, round float64, ok bool) {
	tokens, ms := 0.0, 0.0
	for k := range r.n {
		tokens += float64(r.tokens[k])
		ms += float64(r.nanos[k]) / 1e6
	}
	return tokens / ms, tokens / float64(r.n), r.n > 0
}

// TestLoneDepth checks the lone choice against every depth.
func TestLoneDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawDepths(t, 1)
		st := &s.streams[0]
		alone := rapid.Bool().Draw(t, "alone")
		got := s.loneDepth(st, alone)
		if st.held == 0 {
			if got != 0 {
				t.Fatalf("%d drafts of none", got)
			}
			return
		}
		low := 1
		if alone && s.cfg.Skip {
			low = 0
		}
		price := func(k int) float64 { return float64(s.cfg.Prices.Round(Shape{1, k + 1})) / 1e6 }
		lambda, _, ok := remembered(&st.rate)
		if !ok {
			lambda = 2 / (price(1) + float64(s.cfg.Prices.Pass(Asked{Asks: 1, Depth: s.askDepth()}))/1e6)
		}
		chain := chances(s, st)
		value := func(k int) float64 {
			v := 1 - lambda*price(k)
			for _, c := range chain[:k] {
				v += c
			}
			return v
		}
		for k := low; k <= st.held; k++ {
			if got < low || value(k) > value(got)+1e-9 {
				t.Fatalf("depth %d is worth %g, depth %d %g", got, value(got), k, value(k))
			}
		}
	})
}

// TestJointDepths checks the joint choice against every vector of depths.
func TestJointDepths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "windows")
		s := drawDepths(t, n)
		s.jointDepths()
		got := make([]int, n)
		for k, w := range s.action.Windows {
			got[k] = w.Drafts
		}
		best, choice, unique := brute(s)
		value, ok := jointValue(s, got)
		switch {
		case !ok:
			t.Fatalf("depths %v are out of bounds", got)
		case math.Abs(value-best) > 1e-9:
			t.Fatalf("depths %v are worth %g, %v %g", got, value, choice, best)
		case unique && !slices.Equal(got, choice):
			t.Fatalf("depths %v, want %v", got, choice)
		}
	})
}

// brute tries every vector of depths; unique says that no other comes near.
func brute(s *Scheduler) (best float64, choice []int, unique bool) {
	best = math.Inf(-1)
	second := best
	depths := make([]int, len(s.action.Windows))
	var try func(k int)
	try = func(k int) {
		if k < len(depths) {
			for depths[k] = range s.streams[k].held + 1 {
				try(k + 1)
			}
			return
		}
		value, ok := jointValue(s, depths)
		switch {
		case ok && value > best:
			second, best = best, value
			choice = append(choice[:0], depths...)
		case ok && value > second:
			second = value
		}
	}
	try(0)
	return best, choice, best-second > 1e-9
}

// jointValue is Σ weighted gains beyond each window's least depth, less
// λ·C(rows). It refuses depths below the least and rows beyond the most.
func jointValue(s *Scheduler, depths []int) (float64, bool) {
	n := len(depths)
	price := func(rows int) float64 { return float64(s.cfg.Prices.Round(Shape{n, rows})) / 1e6 }
	lambda, _, ok := remembered(&s.rates[n])
	if !ok {
		ms := price(2*n) + float64(s.cfg.Prices.Pass(Asked{Asks: n, Depth: s.askDepth()}))/1e6
		if s.cfg.Joint == 2 {
			ms += 3
		}
		lambda = float64(2*n) / ms
	}
	weights := fairWeights(s)
	rows, gains := 0, 0.0
	for k, d := range depths {
		st := &s.streams[k]
		low := 1
		if s.cfg.Joint == 2 && s.cfg.Skip || st.held == 0 {
			low = 0
		}
		if d < low || d > st.held {
			return 0, false
		}
		rows += 1 + d
		for _, c := range chances(s, st)[low:d] {
			gains += weights[k] * c
		}
	}
	return gains - lambda*price(rows), rows <= s.cfg.DepthRows
}

// fairWeights are (mean/own tokens a round)^Fair, normalised, in mode 2.
func fairWeights(s *Scheduler) []float64 {
	n := len(s.action.Windows)
	own, weights := make([]float64, n), make([]float64, n)
	sum, weighted := 0.0, 0.0
	for k := range n {
		_, per, ok := remembered(&s.streams[k].rate)
		if !ok {
			per = 2
		}
		own[k], weights[k] = per, 1
		sum += per
	}
	if s.cfg.Joint == 1 {
		return weights
	}
	for k := range n {
		weights[k] = math.Pow(sum/float64(n)/own[k], s.cfg.Fair)
		weighted += weights[k] * own[k]
	}
	for k := range n {
		weights[k] *= sum / weighted
	}
	return weights
}
