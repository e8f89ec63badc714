package core

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestChancesLearnTheDrafter: by confidence, a drafter that promises too much,
// and one that promises too little.
func TestChancesLearnTheDrafter(t *testing.T) {
	for name, truth := range map[string]func(score float64) float64{
		"knows itself":   func(score float64) float64 { return score },
		"overconfident":  func(score float64) float64 { return score * score },
		"underconfident": math.Sqrt,
		"sure or wrong":  func(score float64) float64 { return 0.2 + 0.6*math.Round(score) },
	} {
		r := rand.New(rand.NewPCG(3, 0))
		c := keptBins{}
		for range 20_000 {
			score := r.Float64()
			c.note(r.IntN(4), score, r.Float64() < truth(score))
		}
		for bin := range bins {
			score := (float64(bin) + 0.5) / bins
			for j := range 4 {
				if got := c.of(j, score, score); math.Abs(got-truth(score)) > 0.15 {
					t.Errorf("%s: draft %d of confidence %.2f has the chance %.2f, in truth %.2f", name, j, score, got, truth(score))
				}
			}
		}
	}
}

// TestTrustIsAStreams: a stream whose drafts fare worse than their chances is
// trusted less, one whose fare better more, and both are forgotten.
func TestTrustIsAStreams(t *testing.T) {
	for _, k := range []struct {
		hits, of  int
		low, high float64
	}{{0, 1, 0.5, 0.8}, {1, 2, 0.97, 1.03}, {1, 1, 1.2, 1.6}} {
		var st trust
		for n := range 200 {
			st.note(0.5, n%k.of < k.hits)
		}
		if f := st.factor(); f < k.low || f > k.high {
			t.Errorf("%d of %d kept: factor %.2f", k.hits, k.of, f)
		}
		for n := range 300 {
			st.note(0.5, n%2 == 0)
		}
		if f := st.factor(); math.Abs(f-1) > 0.05 {
			t.Errorf("%d of %d kept, long ago: factor %.2f", k.hits, k.of, f)
		}
	}
}
