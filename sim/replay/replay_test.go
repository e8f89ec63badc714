package replay

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRecordings(t *testing.T) {
	// First drafts kept, as the models' own figures say.
	for _, c := range []struct {
		load    string
		sampled bool
		first   float64
	}{{"demo-code", false, 0.63}, {"demo-prose", false, 0.52}, {"demo-code", true, 0.43}, {"demo-prose", true, 0.40}} {
		r := Of(c.load, c.sampled)
		require.NotNil(t, r)
		require.Equal(t, 23, r.starts)
		kept := 0.0
		for _, d := range r.drafts {
			if d[0].kept {
				kept++
			}
		}
		require.InDelta(t, c.first, kept/float64(len(r.drafts)), 0.01, "%s %v", c.load, c.sampled)
	}
	require.Nil(t, Of("code", false))
	require.Nil(t, Of("demo-other", false))
}

func TestAfterAMissNothingIsKept(t *testing.T) {
	r := Of("demo-code", false)
	for text := range uint64(contexts) {
		for token := 0; token < 200; token += 7 {
			missed := false
			for j := range 20 {
				kept := r.Kept(text, token, j)
				require.False(t, missed && kept)
				missed = missed || !kept
				require.True(t, r.Confidence(text, token, j) >= 0 && r.Confidence(text, token, j) <= 1)
				require.True(t, r.Chance(text, token, j) > 0 && r.Chance(text, token, j) < 1)
			}
		}
	}
}

func TestParseRefusesBadRows(t *testing.T) {
	_, err := parse([]byte(`{"x": [[0, 0.5, 1]]}`))
	require.ErrorContains(t, err, "ends early")
	_, err = parse([]byte(`nonsense`))
	require.Error(t, err)
}
