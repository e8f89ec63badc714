package costmodel

import (
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
)

// receipt is what a receipt of measurements holds of a table.
type receipt struct {
	Windows map[int]map[int]float64 `yaml:"windows_ms"`
	Chunks  map[int]map[int]float64 `yaml:"prompt_chunk_ms"`
	Rows    map[int]float64         `yaml:"rows_ms"`
	Pass    float64                 `yaml:"pass_ms"`
	Slot    float64                 `yaml:"slot_ms"`
}

func received(t testing.TB, path string) (r receipt) {
	t.Helper()
	require.NoError(t, yaml.Unmarshal(contents(t, path), &r))
	return r
}

func TestH200HoldsItsReceipt(t *testing.T) {
	table := opened(t, "h200-llamacpp-vulkan")
	r := received(t, "testdata/receipts/h200-llamacpp-vulkan.yaml")
	require.Len(t, r.Windows, 5)
	for windows, entries := range r.Windows {
		for rows, want := range entries {
			price, grade := table.Launch(Load{Windows: windows, Rows: windows * rows})
			require.Equal(t, ms(want), price, "%d x %d", windows, rows)
			require.Equal(t, Measured, grade)
		}
	}
	for rows, entries := range r.Chunks {
		for start, want := range entries {
			price, grade := table.Chunk(rows, start, true)
			require.Equal(t, ms(want), price, "%d at %d", rows, start)
			require.Equal(t, Measured, grade)
		}
	}
}

func TestH200CostsTwiceForEightRowsWhatItDoesForTwelve(t *testing.T) {
	table := opened(t, "h200-llamacpp-vulkan")
	eight, _ := table.Launch(Load{Windows: 1, Rows: 8})
	twelve, _ := table.Launch(Load{Windows: 1, Rows: 12})
	require.InDelta(t, 2, float64(eight)/float64(twelve), 0.01)
}

func TestGB10HoldsItsReceipt(t *testing.T) {
	table := opened(t, "gb10-x2")
	r := received(t, "testdata/receipts/gb10-cost-table.yaml")
	require.Len(t, r.Rows, 20)
	for rows, want := range r.Rows {
		price, grade := table.Launch(Load{Windows: 1, Rows: rows})
		require.Equal(t, ms(want), price, "%d rows", rows)
		require.Equal(t, Measured, grade)
	}
	pass, _ := table.Pass(Asked{Asked: core.Asked{Asks: 1, Depth: 5}})
	require.Equal(t, ms(r.Pass), pass)
	require.Equal(t, r.Slot, table.Rows.PerSequenceMs)
}
