package tune

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEstimate(t *testing.T) {
	require.InDelta(t, 12.706205, quantiles[sure][1], 1e-6)
	require.InDelta(t, 2.262157, quantiles[sure][9], 1e-6)
	require.InDelta(t, 1.96, quantiles[sure][mostDegrees], 0.01)
	e := Mean([]float64{1, 2, 3, 4})
	require.Equal(t, 2.5, e.Mean)
	require.InDelta(t, 2.5-3.182446*0.6454972, e.Low, 1e-6)
	require.Equal(t, Estimate{3, math.Inf(-1), math.Inf(1), 1}, Mean([]float64{3}))
}
