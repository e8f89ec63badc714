package sampling

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tfsim/tfsim/device"
)

// expected is the distribution that the rules ask for, done the plain way.
func expected(logits []float32, p device.Sampling) []float64 {
	n := len(logits)
	probs := make([]float64, n)
	ids := make([]int, n)
	for i, l := range logits {
		probs[i] = math.Exp(float64(l) / p.Temperature)
		ids[i] = i
	}
	slices.SortStableFunc(ids, func(a, b int) int {
		switch {
		case logits[a] > logits[b]:
			return -1
		case logits[a] < logits[b]:
			return 1
		}
		return 0
	})
	if p.TopK > 0 && p.TopK < n {
		ids = ids[:p.TopK]
	}
	sum := 0.0
	for _, i := range ids {
		sum += probs[i]
	}
	if p.TopP > 0 && p.TopP < 1 {
		reached := 0.0
		for k, i := range ids {
			if reached += probs[i]; reached >= p.TopP*sum {
				ids = ids[:k+1]
				break
			}
		}
	}
	out := make([]float64, n)
	total := 0.0
	for _, i := range ids {
		if probs[i] >= p.MinP*probs[ids[0]] {
			out[i] = probs[i]
			total += probs[i]
		}
	}
	for i := range out {
		out[i] /= total
	}
	return out
}

func randomLogits(rng *rand.Rand, n int, spread float64) []float32 {
	l := make([]float32, n)
	for i := range l {
		l[i] = float32(rng.NormFloat64() * spread)
	}
	return l
}

func TestDistribution(t *testing.T) {
	cases := map[string]device.Sampling{
		"plain":    {Temperature: 1},
		"hot":      {Temperature: 2},
		"cold":     {Temperature: 0.5},
		"top-k":    {Temperature: 1, TopK: 5},
		"top-p":    {Temperature: 1, TopP: 0.7},
		"min-p":    {Temperature: 1, MinP: 0.2},
		"together": {Temperature: 1.3, TopK: 12, TopP: 0.9, MinP: 0.05},
	}
	const draws = 60_000
	for name, p := range cases {
		t.Run(name, func(t *testing.T) {
			logits := randomLogits(rand.New(rand.NewPCG(1, 2)), 40, 1.5)
			want := expected(logits, p)
			got := make([]float64, len(logits))
			var s Sampler
			p.Seed = 7
			for i := range draws {
				got[s.Draw(logits, p, i)]++
			}
			for i := range want {
				if want[i] == 0 {
					if got[i] > 0 {
						t.Fatalf("token %d is filtered and was drawn %g times", i, got[i])
					}
					continue
				}
				// Five standard deviations of a binomial.
				off := math.Abs(got[i] - want[i]*draws)
				if most := 5*math.Sqrt(draws*want[i]*(1-want[i])) + 1; off > most {
					t.Errorf("token %d: drawn %g times, want %.0f ± %.0f", i, got[i], want[i]*draws, most)
				}
			}
		})
	}
}

// The race skips tokens that cannot win; the winner is that of a full race.
func TestRaceSkipsOnlyLosers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		logits := randomLogits(rng, 200, 0.5+4*rng.Float64())
		p := device.Sampling{Temperature: 0.2 + 2*rng.Float64(), Seed: rng.Uint64()}
		top := logits[Likeliest(logits)]
		best, winner := math.Inf(-1), -1
		for k, l := range logits {
			v := mix(key(p.Seed, i)+uint64(k)*0x9e3779b97f4a7c15) >> 11
			score := float64(l-top)*(1/p.Temperature) - math.Log(-math.Log1p(-(float64(v)+0.5)*0x1p-53))
			if score > best {
				best, winner = score, k
			}
		}
		var s Sampler
		if got := s.Draw(logits, p, i); int(got) != winner {
			t.Fatalf("drew %d, a full race gives %d", got, winner)
		}
	}
}

func TestFiltersKeepWhatTheyShould(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var s Sampler
	for i := range 3000 {
		logits := randomLogits(rng, 1+rng.IntN(300), 3*rng.Float64())
		p := device.Sampling{Temperature: 0.1 + 3*rng.Float64(), Seed: rng.Uint64()}
		if rng.IntN(2) == 0 {
			p.TopK = 1 + rng.IntN(50)
		}
		if rng.IntN(2) == 0 {
			p.TopP = rng.Float64()
		}
		if rng.IntN(2) == 0 {
			p.MinP = rng.Float64()
		}
		got := s.Draw(logits, p, i)
		if p.Greedy() {
			continue
		}
		if got < 0 || expected(logits, p)[got] == 0 {
			t.Fatalf("%+v of %d logits drew %d, which is filtered", p, len(logits), got)
		}
	}
}

// Two models share their draws: equal logits give equal tokens, and near
// ones agree about as often as their distributions overlap.
func TestDraftsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	var target, draft Sampler
	p := device.Sampling{Temperature: 1, TopP: 0.95, Seed: 3}
	same, overlap := 0.0, 0.0
	const n = 4000
	for i := range n {
		logits := randomLogits(rng, 100, 2)
		if a, b := target.Draw(logits, p, i), draft.Draw(slices.Clone(logits), p, i); a != b {
			t.Fatalf("equal logits drew %d and %d", a, b)
		}
		near := slices.Clone(logits)
		for k := range near {
			near[k] += float32(rng.NormFloat64() * 0.3)
		}
		if target.Draw(logits, p, i) == draft.Draw(near, p, i) {
			same++
		}
		a, b := expected(logits, p), expected(near, p)
		for k := range a {
			overlap += min(a[k], b[k])
		}
	}
	// The rule guarantees overlap / (2 - overlap).
	o := overlap / n
	if got, least := same/n, o/(2-o)-0.02; got < least {
		t.Errorf("drafts agree %.3f of the time; distributions overlap by %.3f, which guarantees %.3f", got, o, least)
	}
}

func TestEdges(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	var s Sampler
	hot := device.Sampling{Temperature: 1}
	for _, c := range []struct {
		logits []float32
		want   device.Token
	}{
		{nil, device.NoToken},
		{[]float32{nan, nan}, device.NoToken},
		{[]float32{-inf, -inf}, device.NoToken},
		{[]float32{nan, 1, -inf}, 1},
		{[]float32{0, inf}, 1},
	} {
		for _, p := range []device.Sampling{{}, hot, {Temperature: 1, TopK: 2}, {Temperature: 1, TopP: 0.5}, {Temperature: 1, MinP: 0.1}} {
			if got := s.Draw(c.logits, p, 4); got != c.want {
				t.Errorf("%v with %+v drew %d, want %d", c.logits, p, got, c.want)
			}
		}
	}
	if got := s.Draw([]float32{1, 2, 2}, device.Sampling{}, 0); got != 1 {
		t.Errorf("a tie goes to %d, want the lower token", got)
	}
	if got := Confidence([]float32{0, 0, 0, 0}, 2); math.Abs(got-0.25) > 1e-9 {
		t.Errorf("confidence %g of one in four equals", got)
	}
}

func TestExp(t *testing.T) {
	for x := 0.0; x > -690; x -= 0.0137 {
		if got, want := exp(x), math.Exp(x); math.Abs(got/want-1) > 1e-11 {
			t.Fatalf("exp(%g) = %g, want %g", x, got, want)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	logits := randomLogits(rand.New(rand.NewPCG(1, 1)), 4096, 2.5)
	for _, c := range []struct {
		name string
		p    device.Sampling
	}{
		{"greedy", device.Sampling{}},
		{"hot", device.Sampling{Temperature: 1}},
		{"top-k", device.Sampling{Temperature: 1, TopK: 40}},
		{"top-p", device.Sampling{Temperature: 1, TopP: 0.95}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var s Sampler
			for i := 0; b.Loop(); i++ {
				s.Draw(logits, c.p, i)
			}
		})
	}
	b.Run("confidence", func(b *testing.B) {
		for b.Loop() {
			Confidence(logits, 7)
		}
	})
}
