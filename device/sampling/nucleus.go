package sampling

import (
	"math"
	"slices"

	"github.com/tfsim/tfsim/device"
)

// Tokens fall into buckets by how far, in temperatures, they are below the
// likeliest; the last bucket holds the rest.
const (
	buckets   = 256
	perDegree = 8
)

// nucleus keeps the likeliest tokens that together reach top-p, in no order.
// Only those around the edge are sorted.
func (s *Sampler) nucleus(logits []float32, top float32, p device.Sampling) {
	heat := 1 / p.Temperature
	s.mass = [buckets]float64{}
	total := 0.0
	for _, l := range logits {
		if l > float32(math.Inf(-1)) {
			x := float64(l-top) * heat
			m := exp(x)
			s.mass[bucket(x)] += m
			total += m
		}
	}
	want, above, edge := total*p.TopP, 0.0, 0
	for edge < buckets-1 && above+s.mass[edge] < want {
		above += s.mass[edge]
		edge++
	}
	s.kept = s.kept[:0]
	for t, l := range logits {
		if l > float32(math.Inf(-1)) && bucket(float64(l-top)*heat) < edge {
			s.kept = append(s.kept, candidate{l, int32(t)})
		}
	}
	inside := len(s.kept)
	for t, l := range logits {
		if l > float32(math.Inf(-1)) && bucket(float64(l-top)*heat) == edge {
			s.kept = append(s.kept, candidate{l, int32(t)})
		}
	}
	slices.SortFunc(s.kept[inside:], order)
	s.trim(inside, above, want, top, heat)
}

func bucket(x float64) int {
	if x <= -float64(buckets)/perDegree {
		return buckets - 1
	}
	return min(int(-x*perDegree), buckets-1)
}

// cut keeps the likeliest of the kept tokens, which are sorted, that together
// reach top-p of them.
func (s *Sampler) cut(inside int, top float32, p device.Sampling) {
	heat := 1 / p.Temperature
	total := 0.0
	for _, c := range s.kept {
		total += exp(float64(c.logit-top) * heat)
	}
	s.trim(inside, 0, total*p.TopP, top, heat)
}

// trim drops the kept tokens from the one on after which the mass reaches
// what is wanted; those before inside have the mass above.
func (s *Sampler) trim(inside int, above, want float64, top float32, heat float64) {
	for i := inside; i < len(s.kept); i++ {
		if above += exp(float64(s.kept[i].logit-top) * heat); above >= want {
			s.kept = s.kept[:i+1]
			return
		}
	}
}

// exp is e^x for x of at most about zero, to a few parts in 10^12; it is
// several times as fast as the library's.
func exp(x float64) float64 {
	if !(x > -700) {
		return 0
	}
	k := math.Floor(x*math.Log2E + 0.5)
	r := x - k*ln2High - k*ln2Low
	// Taylor's series, |r| ≤ 0.35.
	y := 1 + r*(1+r*(1.0/2+r*(1.0/6+r*(1.0/24+r*(1.0/120+r*(1.0/720+r*(1.0/5040+r*(1.0/40320+r*(1.0/362880)))))))))
	return y * math.Float64frombits(uint64(int64(k)+1023)<<52)
}

const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)
