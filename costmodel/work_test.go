package costmodel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
)

func TestPass(t *testing.T) {
	table := parsed(t, small)
	for _, c := range []struct {
		asks, ingests int
		price         float64
		grade         Grade
	}{{0, 0, 0, Measured}, {1, 0, 4, Fitted}, {3, 0, 6, Fitted}, {3, 2, 7, Fitted}} {
		price, grade := table.Pass(Asked{Asked: core.Asked{Asks: c.asks, Depth: 5, CatchUps: c.ingests}})
		require.Equal(t, ms(c.price), price)
		require.Equal(t, c.grade, grade)
	}
	table.Drafter = nil
	price, grade := table.Pass(Asked{Asked: core.Asked{Asks: 3, Depth: 5}})
	require.Zero(t, price)
	require.Equal(t, Extrapolated, grade)
}

func TestChunk(t *testing.T) {
	table := parsed(t, small)
	for _, c := range []struct {
		name        string
		rows, start int
		staged      bool
		price       float64
		grade       Grade
	}{
		{"nothing", 0, 0, false, 0, Measured},
		{"an entry", 512, 1000, true, 600, Fitted},
		{"between starts", 512, 500, true, 550, Estimated},
		{"beyond the starts", 512, 2000, true, 700, Extrapolated},
		{"one start for all", 64, 5000, true, 100, Estimated},
		{"between rows and starts", 288, 500, true, 325, Estimated},
		{"beyond the rows", 960, 0, true, 900, Extrapolated},
		{"below the rows", 32, 0, true, 100 - 32*400.0/448, Extrapolated},
		{"below the rows, the least", 1, 1000, true, 40, Extrapolated},
		{"not staged", 512, 0, false, 600, Fitted},
		{"not staged, few rows", 64, 0, false, 100 + 100.0*64/512, Estimated},
	} {
		t.Run(c.name, func(t *testing.T) {
			price, grade := table.Chunk(c.rows, c.start, c.staged)
			require.InDelta(t, float64(ms(c.price)), float64(price), 1)
			require.Equal(t, c.grade, grade)
		})
	}
}

func TestChunkLookups(t *testing.T) {
	c := &Chunk{TailMs: Curve{{512, 10}, {1024, 30}}, BesideMs: Curve{{512, 4}}, BeginMs: 2, FinishMs: Curve{{100, 3}}}
	require.Equal(t, ms(5), c.Tail(256))
	require.Equal(t, ms(20), c.Tail(768))
	require.Equal(t, ms(50), c.Tail(1536))
	require.Equal(t, ms(4), c.Beside(512))
	require.Zero(t, c.Unstaged(512))
	require.Equal(t, ms(2), c.Begin())
	require.Equal(t, ms(3), c.Finish(100))
}
