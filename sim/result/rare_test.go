package result

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/tfsim/tfsim/core"
)

// It counts as a map does, whenever it is asked.
func TestRareTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r rare
		twin := map[core.Micros]uint32{}
		same := func() {
			r.settle()
			keys := slices.Sorted(maps.Keys(twin))
			require.Equal(t, keys, r.values[:len(r.values):len(r.values)])
			for i, k := range keys {
				require.Equal(t, twin[k], r.counts[i])
			}
		}
		for range rapid.IntRange(1, 8).Draw(t, "bursts") {
			span := rapid.Int64Range(1, 5000).Draw(t, "span")
			step := rapid.Int64Range(1, 999).Draw(t, "step")
			for i := range rapid.Int64Range(1, 2*fewFresh).Draw(t, "values") {
				v := core.Micros(i * step % span)
				r.add(v)
				twin[v]++
			}
			if rapid.Bool().Draw(t, "asked") {
				same()
			}
		}
		same()
	})
}
