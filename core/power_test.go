package core

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestPower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0.01, 100).Draw(t, "x")
		e := float64(rapid.IntRange(0, 4*65536).Draw(t, "e")) / 65536
		if got, want := power(x, e), math.Pow(x, e); math.Abs(got-want) > 1e-12*want {
			t.Fatalf("%g^%g = %g, want %g", x, e, got, want)
		}
	})
}
