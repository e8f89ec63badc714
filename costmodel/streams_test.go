package costmodel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
)

// The passes of llama.cpp with a stream for each slot, as measured.
func TestPasses(t *testing.T) {
	for _, c := range []struct {
		slots, rows []int
		want        int
	}{
		{nil, nil, 0},
		{[]int{0, 1, 2, 3}, []int{2, 2, 2, 2}, 1},
		{[]int{4, 5, 6, 7}, []int{2, 2, 2, 2}, 1},
		{[]int{3, 2, 1, 0}, []int{2, 2, 2, 2}, 1},
		{[]int{0, 2, 4, 6}, []int{2, 2, 2, 2}, 4},
		{[]int{0, 1, 2, 3}, []int{5, 3, 2, 1}, 4},
		{[]int{0, 1, 2, 3}, []int{8, 2, 2, 2}, 2},
		{[]int{0, 1, 2, 3}, []int{4, 4, 2, 2}, 2},
		{[]int{0, 1, 5}, []int{1, 1, 1}, 2},
	} {
		var windows []StreamWindow
		total := 0
		for i := range c.slots {
			windows = append(windows, StreamWindow{c.slots[i], c.rows[i], int64(100 * (1 + c.slots[i]))})
			total += c.rows[i]
		}
		drawn := total / 2
		loads := Passes(nil, core.Packing{}, windows, drawn)
		require.Len(t, loads, c.want, "slots %v with rows %v", c.slots, c.rows)
		for _, l := range loads {
			total -= l.Rows
			drawn -= l.Sampled
			require.Zero(t, l.Rows%l.Windows)
			require.LessOrEqual(t, l.Sampled, l.Rows)
			require.LessOrEqual(t, l.Longest, l.Context)
		}
		require.Zero(t, total, "slots %v with rows %v", c.slots, c.rows)
		require.Zero(t, drawn, "slots %v with rows %v", c.slots, c.rows)
	}
	require.Equal(t, []Load{{Windows: 2, Rows: 2, Context: 70, Longest: 60}, {Windows: 1, Rows: 3, Context: 60, Longest: 60}},
		Passes(nil, core.Packing{}, []StreamWindow{{0, 1, 10}, {1, 4, 60}}, 0))
	even := core.Packing{Least: 2, Multiple: 2, Equal: true}
	require.Len(t, Passes(nil, even, []StreamWindow{{0, 1, 10}, {1, 2, 10}, {2, 1, 10}, {3, 2, 10}}, 0), 1, "rows that are padded alike")
}
