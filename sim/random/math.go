package random

import "math"

// ln2 in two parts: multiples of the first by a binary exponent are exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// Log is the natural logarithm of a positive finite number, to about two
// units in the last place. Unlike math.Log it has the same bits everywhere.
func Log(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	// log m = 2 artanh s with |s| < 0.172, by its series.
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	sum := 0.0
	for k := 21; k >= 3; k -= 2 {
		sum = float64((sum + 1/float64(k)) * z)
	}
	k := float64(e)
	return float64(k*ln2High) + (float64(2*s) + (float64(float64(2*s)*sum) + float64(k*ln2Low)))
}

// Exp is e to the x, to about two units in the last place: 0 below -745 and
// infinity over 709.78. Unlike math.Exp it has the same bits everywhere.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x < -745.2:
		return 0
	case x > 709.78271289338397:
		return math.Inf(1)
	}
	k := math.Floor(float64(x/math.Ln2) + 0.5)
	r := x - float64(k*ln2High) - float64(k*ln2Low)
	// The series of e^r with |r| < 0.35, in pairs that do not wait for each
	// other.
	r2 := float64(r * r)
	r4 := float64(r2 * r2)
	low := pair(r, 1.0/2, 1.0/6)
	middle := pair(r, 1.0/24, 1.0/120) + float64(r2*pair(r, 1.0/720, 1.0/5040))
	high := pair(r, 1.0/40320, 1.0/362880) + float64(r2*pair(r, 1.0/3628800, 1.0/39916800)) +
		float64(r4*pair(r, 1.0/479001600, 1.0/6227020800))
	sum := 1 + (r + (float64(r2*low) + (float64(r4*middle) + float64(float64(r4*r4)*high))))
	if k < -1022 || k > 1023 {
		return math.Ldexp(sum, int(k))
	}
	return float64(sum * math.Float64frombits(uint64(int64(k)+1023)<<52))
}

// pair is a + b r.
func pair(r, a, b float64) float64 { return a + float64(b*r) }
