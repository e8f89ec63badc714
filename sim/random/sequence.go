package random

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// Sequence is a sequence of draws that is the same on every platform. It is a
// value: a copy draws the same again.
type Sequence struct{ pcg rand.PCG }

// Sequence is the stream as a sequence of draws, for what has no positions.
func (s Stream) Sequence() Sequence {
	var q Sequence
	q.pcg.Seed(uint64(s), mix(uint64(s)))
	return q
}

// Uint64 is a uniform number.
func (s *Sequence) Uint64() uint64 { return s.pcg.Uint64() }

// Float is uniform within 0 and 1, neither included.
func (s *Sequence) Float() float64 {
	return float64((float64(s.Uint64()>>12) + 0.5) * (1.0 / (1 << 52)))
}

// Below is uniform from 0 to n-1; its bias is under n/2^64.
func (s *Sequence) Below(n uint64) uint64 {
	high, _ := bits.Mul64(s.Uint64(), n)
	return high
}

// Exp is exponential with mean 1.
func (s *Sequence) Exp() float64 { return -Log(s.Float()) }

// Norm is standard normal, by Marsaglia's polar method.
func (s *Sequence) Norm() float64 {
	for {
		x := float64(2*s.Float()) - 1
		y := float64(2*s.Float()) - 1
		r := float64(x*x) + float64(y*y)
		if r > 0 && r < 1 {
			return float64(x * math.Sqrt(float64(-2*Log(r))/r))
		}
	}
}

// Gamma is gamma with the given shape, above 0, and scale 1, by the method
// of Marsaglia and Tsang.
func (s *Sequence) Gamma(shape float64) float64 {
	if shape < 1 {
		// Log form: the power underflows for small shapes.
		u := Log(s.Float()) / shape
		return float64(s.Gamma(shape+1) * Exp(u))
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(float64(9*d))
	for {
		x := s.Norm()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(float64(v*v) * v)
		half := float64(0.5 * float64(x*x))
		if Log(s.Float()) < half+d-float64(d*v)+float64(d*Log(v)) {
			return float64(d * v)
		}
	}
}
