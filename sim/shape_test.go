package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/random"
	"github.com/tfsim/tfsim/sim/replay"
)

// TestTextsHaveTheShapeOfRecordedOnes: as on the demo pair, a draft whose
// earlier ones were kept is kept at least as often as the first, and first
// drafts four tokens apart are nearly independent (recorded: 0.04 to 0.15).
func TestTextsHaveTheShapeOfRecordedOnes(t *testing.T) {
	table, err := costmodel.Open("m5-ultra-512gb")
	require.NoError(t, err)
	type source func(text, token, j int) bool
	texts := map[string]source{}
	for _, name := range replay.Loads {
		r := replay.Of(name, false)
		texts[name] = func(text, token, j int) bool { return r.Kept(uint64(text), token, j) }
	}
	for _, name := range []string{"chat", "code"} {
		kind := table.Drafts.Loads[name].Greedy
		all := make([]text, 64)
		for n := range all {
			all[n] = newText([2]costmodel.DraftText{kind, kind}, 0, random.New(1, "shape").Sub(uint64(n)))
		}
		texts[name] = func(text, token, j int) bool { return all[text].guessed(token+j, j) }
	}
	for name, kept := range texts {
		var seen, hits [5]float64
		var first [64][23]float64
		mean := 0.0
		for n := range 64 {
			for s := range 23 {
				for j := range 5 {
					hit := kept(n, 4*s, j)
					seen[j]++
					if hit {
						hits[j]++
					}
					if j == 0 && hit {
						first[n][s] = 1
						mean++
					}
					if !hit {
						break
					}
				}
			}
		}
		mean /= 64 * 23
		var same, apart float64
		for n := range 64 {
			for s := range 22 {
				same += (first[n][s] - mean) * (first[n][s] - mean)
				apart += (first[n][s] - mean) * (first[n][s+1] - mean)
			}
		}
		t.Logf("%-10s first kept %.2f, fourth %.2f; four tokens apart %.2f", name, hits[0]/seen[0], hits[3]/seen[3], apart/same)
		require.Greater(t, hits[3]/seen[3], hits[0]/seen[0]-0.02, name)
		require.InDelta(t, 0.08, apart/same, 0.12, name)
	}
}
