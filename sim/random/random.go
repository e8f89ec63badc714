// Package random gives the simulator its randomness: values that depend only
// on a seed, a purpose and a position, so that what one stream draws never
// shifts another, and any order of asking gives the same answers. All
// functions use operations that IEEE 754 rounds alike on every platform.
package random

import "math"

// Stream is a source keyed by a seed and a purpose.
type Stream uint64

// New gives the stream of a purpose, such as "noise", under a seed.
func New(seed uint64, purpose string) Stream {
	return Stream(mix(seed ^ mix(Hash(purpose))))
}

// Hash is FNV-1a.
func Hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// Sub gives the stream of one member of a family: a request, a user, a text.
func (s Stream) Sub(n uint64) Stream { return Stream(mix(uint64(s) + mix(n+0x9e3779b97f4a7c15))) }

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Bits are the 64 random bits at position n.
func (s Stream) Bits(n uint64) uint64 { return mix(uint64(s) + n*0xd1342543de82ef95) }

// Uniform is in the open interval (0, 1).
func (s Stream) Uniform(n uint64) float64 {
	return (float64(s.Bits(n)>>11) + 0.5) / (1 << 53)
}

// Normal is standard normal: the sum of twelve uniforms would be cheaper and
// wrong in the tails, so the inverse distribution is used.
func (s Stream) Normal(n uint64) float64 { return Quantile(s.Uniform(n)) }

// Sigmoid is 1/(1+e^-x).
func Sigmoid(x float64) float64 {
	if x < -700 {
		return 0
	}
	return 1 / (1 + Exp(-x))
}

// Quantile is the inverse of the standard normal distribution, by Acklam's
// rational approximation (relative error under 1.2e-9).
func Quantile(p float64) float64 {
	const low = 0.02425
	switch {
	case p < low:
		q := math.Sqrt(float64(-2 * Log(p)))
		return tail(q)
	case p > 1-low:
		q := math.Sqrt(float64(-2 * Log(1-p)))
		return -tail(q)
	}
	q := p - 0.5
	r := float64(q * q)
	return float64(horner(r, -3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
		1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00)*q) /
		horner(r, -5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
			6.680131188771972e+01, -1.328068155288572e+01, 1)
}

func tail(q float64) float64 {
	return horner(q, -7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
		-2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00) /
		horner(q, 0, 7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
			3.754408661907416e+00, 1)
}

// horner is the polynomial with these coefficients, the highest power's first.
func horner(x, a, b, c, d, e, f float64) float64 {
	sum := float64(a*x) + b
	sum = float64(sum*x) + c
	sum = float64(sum*x) + d
	sum = float64(sum*x) + e
	return float64(sum*x) + f
}
