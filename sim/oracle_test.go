package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
)

// What the oracle expects of a pass is what it takes, with caches counted either
// way.
func TestOracleKnowsPasses(t *testing.T) {
	for _, caches := range []string{"", costmodel.StreamCaches} {
		table := exact()
		table.Caches, table.Drafter.ContextMsPer1K = caches, 5
		a, b := request(1), request(2)
		d := NewDevice(table, DefaultWorld(), 4, 4, func(id core.ID) *Request { return []*Request{a, b}[id-1] })
		do(t, d, whole(0, a))
		do(t, d, whole(1, b))
		for _, asks := range [][]core.Ask{{{Slot: 0, Depth: 3}}, {{Slot: 0, Depth: 3}, {Slot: 1, Depth: 2, CatchUp: 4}}} {
			want := d.Pass(core.AskedBy(asks), false)
			require.Equal(t, want, 1000*core.Nanos(do(t, d, core.Action{Kind: core.Pass, Asks: asks}).Device), "caches %q, %v", caches, asks)
		}
	}
}
