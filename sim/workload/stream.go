package workload

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// Seed derives a number from (seed, purpose, index). Purposes never share
// numbers, and neither do indexes of a purpose.
func Seed(seed uint64, purpose string, index uint64) uint64 {
	return mix(mix(seed^hash(purpose)) + mix(index^golden))
}

const golden = 0x9e3779b97f4a7c15

// mix is the finaliser of splitmix64.
func mix(x uint64) uint64 {
	x += golden
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// Stream is a sequence of draws that is the same on every platform. It is a
// value: a copy draws the same again.
type Stream struct{ pcg rand.PCG }

// NewStream is the stream of (seed, purpose, index).
func NewStream(seed uint64, purpose string, index uint64) Stream {
	var s Stream
	a := Seed(seed, purpose, index)
	s.pcg.Seed(a, mix(a))
	return s
}

// Uint64 is a uniform number.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Float is uniform within 0 and 1, neither included.
func (s *Stream) Float() float64 {
	return float64((float64(s.Uint64()>>12) + 0.5) * (1.0 / (1 << 52)))
}

// Below is uniform from 0 to n-1; its bias is under n/2^64.
func (s *Stream) Below(n uint64) uint64 {
	high, _ := bits.Mul64(s.Uint64(), n)
	return high
}

// Exp is exponential with mean 1.
func (s *Stream) Exp() float64 { return -Log(s.Float()) }

// Norm is standard normal, by Marsaglia's polar method.
func (s *Stream) Norm() float64 {
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
func (s *Stream) Gamma(shape float64) float64 {
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
