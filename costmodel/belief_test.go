package costmodel

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tfsim/tfsim/core"
	"pgregory.net/rapid"
)

// bruteCheapest is Cheapest as its documentation reads.
func bruteCheapest(t *Table, s core.Shape) core.Shape {
	best, least := s, core.Nanos(0)
	for rows := t.Limits.Rows; rows >= max(s.Rows, s.Windows); rows-- {
		if price, _ := t.Launch(Load{Windows: s.Windows, Rows: rows}); rows == t.Limits.Rows || price <= least {
			best.Rows, least = rows, price
		}
	}
	return best
}

func TestCheapest(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := randomTable(rt)
		belief, err := table.Belief(BeliefMeasured)
		require.NoError(rt, err)
		windows := rapid.IntRange(1, table.Limits.Windows).Draw(rt, "of windows")
		s := core.Shape{Windows: windows, Rows: rapid.IntRange(1, table.Limits.Rows).Draw(rt, "of rows")}
		got := table.Cheapest(s)
		require.Equal(rt, bruteCheapest(table, s), got)
		require.Equal(rt, got, belief.Cheapest(s))
		require.GreaterOrEqual(rt, got.Rows, s.Rows)
		require.Equal(rt, s.Windows, got.Windows)
		if s.Rows >= s.Windows {
			require.LessOrEqual(rt, belief.Round(got), belief.Round(s))
		}
	})
}

func TestCheapestBeyondOneLaunch(t *testing.T) {
	table := parsed(t, small)
	belief, _ := table.Belief(BeliefMeasured)
	for _, s := range []core.Shape{{Windows: 1, Rows: 17}, {Windows: 5, Rows: 8}, {}} {
		require.Equal(t, s, table.Cheapest(s))
		require.Equal(t, s, belief.Cheapest(s))
	}
}

func TestCheapestPadsOnTheH200(t *testing.T) {
	table := opened(t, "h200-llamacpp-vulkan")
	require.Equal(t, core.Shape{Windows: 1, Rows: 12}, table.Cheapest(core.Shape{Windows: 1, Rows: 7}))
	require.Equal(t, core.Shape{Windows: 1, Rows: 5}, table.Cheapest(core.Shape{Windows: 1, Rows: 5}))
}

func TestBeliefIsTheTable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := randomTable(rt)
		belief, err := table.Belief(BeliefMeasured)
		require.NoError(rt, err)
		s := core.Shape{
			Windows: rapid.IntRange(1, table.Limits.Windows).Draw(rt, "of windows"),
			Rows:    rapid.IntRange(1, table.Limits.Rows).Draw(rt, "of rows"),
		}
		want, _ := table.Launch(Load{Windows: s.Windows, Rows: s.Rows})
		require.Equal(rt, want, belief.Round(s))
	})
}

// evenly splits a shape over k launches as evenly as can be.
func evenly(s core.Shape, k int) []Load {
	loads := make([]Load, k)
	for i := range s.Windows {
		loads[i%k].Windows++
	}
	for i := range s.Rows {
		loads[i%k].Rows++
	}
	return loads
}

func TestBeliefPacksLargerShapes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := randomTable(rt)
		belief, err := table.Belief(BeliefMeasured)
		require.NoError(rt, err)
		windows := rapid.IntRange(1, 100).Draw(rt, "of windows")
		s := core.Shape{Windows: windows, Rows: windows * rapid.IntRange(1, 6).Draw(rt, "each")}
		k := 1
		for k < s.Windows && (k*table.Limits.Rows < s.Rows || k*table.Limits.Windows < s.Windows) {
			k++
		}
		want, _ := table.Round(evenly(s, k))
		require.Equal(rt, want, belief.Round(s))
	})
}

func TestDefaultBelief(t *testing.T) {
	belief, err := parsed(t, small).Belief(BeliefDefault)
	require.NoError(t, err)
	s := core.Shape{Windows: 3, Rows: 7}
	require.Equal(t, ms(37+35), belief.Round(s))
	require.Equal(t, ms(5.6), belief.Pass(core.Asked{Asks: 3, Depth: 5, CatchUps: 1}))
	require.Zero(t, belief.Pass(core.Asked{Depth: 5}))
	require.Equal(t, s, belief.Cheapest(s))
}

func TestUnknownBelief(t *testing.T) {
	_, err := parsed(t, small).Belief("guess")
	require.EqualError(t, err, `unknown belief "guess"; accepted: measured, default`)
}

func TestPricesAllocateNothing(t *testing.T) {
	table := opened(t, "m5-ultra-512gb")
	belief, _ := table.Belief(BeliefMeasured)
	loads := []Load{{Windows: 3, Rows: 14, Sampled: 3, Context: 9000}, {Windows: 1, Rows: 3}}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		belief.Round(core.Shape{Windows: 3, Rows: 14})
		belief.Round(core.Shape{Windows: 30, Rows: 99})
		belief.Cheapest(core.Shape{Windows: 3, Rows: 7})
		belief.Pass(core.Asked{Asks: 3, Depth: 5, CatchUps: 1})
		table.Round(loads)
		table.Chunk(900, 70_000, false)
	}))
}

func BenchmarkBeliefRound(b *testing.B) {
	belief, _ := opened(b, "m5-ultra-512gb").Belief(BeliefMeasured)
	for _, s := range []struct {
		name  string
		shape core.Shape
	}{{"one launch", core.Shape{Windows: 3, Rows: 11}}, {"more", core.Shape{Windows: 30, Rows: 99}}} {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				belief.Round(s.shape)
			}
		})
	}
}

func BenchmarkLaunch(b *testing.B) {
	for _, name := range []string{"m5-ultra-512gb", "h200-llamacpp-vulkan"} {
		table := opened(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				table.Launch(Load{Windows: 3, Rows: 11, Context: 4000, Sampled: 2})
			}
		})
	}
}

func BenchmarkBeliefBuilt(b *testing.B) {
	table := opened(b, "large-gpu")
	for b.Loop() {
		newTableBelief(table)
	}
}
