package validate

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPublishedPattern holds that the priced rule fails here as it failed on
// the machine: docs/draft-pricing.md says which cells differ, and why.
func TestPublishedPattern(t *testing.T) {
	all, err := Patterns()
	require.NoError(t, err)
	var in [2]int
	for _, p := range all {
		w := p.Within(0.03)
		t.Logf("%-12s priced/no_drafts %.3f (published %.3f) %v   priced/earlier %.3f (%.3f) %v",
			p.Cell, p.Simulated[0], p.Published[0], w[0], p.Simulated[1], p.Published[1], w[1])
		for i := range in {
			if w[i] {
				in[i]++
			}
		}
	}
	require.GreaterOrEqual(t, in[0], 12, "priced/no_drafts of %d cells", len(all))
	require.GreaterOrEqual(t, in[1], 12, "priced/earlier of %d cells", len(all))
}
