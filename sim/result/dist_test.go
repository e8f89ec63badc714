package result

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tfsim/tfsim/core"
	"pgregory.net/rapid"
)

func TestDistPercentilesAreThoseOfSortedValues(t *testing.T) {
	value := rapid.OneOf(
		rapid.Int64Range(0, 50),
		rapid.Int64Range(0, denseLimit+10),
		rapid.Int64Range(denseLimit-3, denseLimit+3),
		rapid.Int64Range(0, 1<<40),
	)
	ps := []int{0, 1, 50, 50, 95, 99, 100}
	rapid.Check(t, func(t *rapid.T) {
		var d dist
		var all []core.Micros
		for _, v := range rapid.SliceOfN(value, 1, 200).Draw(t, "values") {
			d.add(core.Micros(v))
			all = append(all, core.Micros(v))
		}
		slices.Sort(all)
		got := make([]fine, len(ps))
		d.percentiles(ps, got)
		for i, p := range ps {
			require.Equal(t, percentile(all, p), got[i], "p%d", p)
		}
	})
}

func TestPercentileIsLinear(t *testing.T) {
	v := []core.Micros{10, 20, 40}
	assert.Equal(t, fine(2000), percentile(v, 50))
	assert.Equal(t, fine(3800), percentile(v, 95))
	assert.Equal(t, fine(4000), percentile(v, 100))
	assert.Equal(t, fine(1000), percentile(v[:1], 99))
}

func TestDistStaysSmall(t *testing.T) {
	var d dist
	for i := range 100_000 {
		d.add(core.Micros(i % 3000))
	}
	assert.Len(t, d.dense, 4096)
	assert.Empty(t, d.large)
}
