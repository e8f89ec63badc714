package result

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/tfsim/tfsim/core"
)

func TestLimitIsThePercentile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := core.Micros(rapid.IntRange(0, 20).Draw(t, "bound"))
		p := rapid.IntRange(0, 100).Draw(t, "p")
		l := newLimit(bound)
		var all []core.Micros
		for _, v := range rapid.SliceOf(rapid.IntRange(0, 25)).Draw(t, "spans") {
			l.add(core.Micros(v))
			all = append(all, core.Micros(v))
		}
		if len(all) == 0 {
			require.True(t, l.keeps(p))
			return
		}
		slices.Sort(all)
		require.Equal(t, percentile(all, p) <= fine(bound)*finePerMicro, l.keeps(p))
	})
}
