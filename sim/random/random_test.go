package random

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestLogAndExp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-300, 1e300).Draw(t, "x")
		require.InEpsilon(t, 1+math.Abs(math.Log(x)), 1+math.Abs(Log(x)), 1e-15)
		y := rapid.Float64Range(-700, 700).Draw(t, "y")
		require.InEpsilon(t, math.Exp(y), Exp(y), 1e-14)
	})
	require.Equal(t, 0.0, Log(1))
	require.Equal(t, 1.0, Exp(0))
	require.Equal(t, 0.0, Exp(-1e9))
	require.True(t, math.IsInf(Exp(1e9), 1))
	require.True(t, math.IsNaN(Exp(math.NaN())))
}

func TestQuantile(t *testing.T) {
	for _, p := range []float64{1e-9, 1e-3, 0.02, 0.3, 0.5, 0.7, 0.99, 1 - 1e-9} {
		require.InDelta(t, math.Sqrt2*math.Erfinv(2*p-1), Quantile(p), 1e-8*math.Max(1, math.Abs(Quantile(p))))
	}
}

func TestMoments(t *testing.T) {
	s := New(1, "moments")
	q := s.Sequence()
	var sum, square, exponential float64
	const n = 200_000
	for i := range uint64(n) {
		x := s.Normal(i)
		sum += x
		square += x * x
		exponential += q.Exp()
	}
	require.InDelta(t, 0, sum/n, 0.01)
	require.InDelta(t, 1, square/n, 0.02)
	require.InDelta(t, 1, exponential/n, 0.01)
}

func TestStreamsAreApart(t *testing.T) {
	a, b := New(1, "a"), New(1, "b")
	require.NotEqual(t, a, b)
	require.NotEqual(t, a, New(2, "a"))
	require.NotEqual(t, a.Sub(0), a.Sub(1))
	require.NotEqual(t, a.Bits(1), a.Bits(2))
	require.Equal(t, a.Bits(7), New(1, "a").Bits(7))
}
