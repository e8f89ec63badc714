package settings

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tfsim/tfsim/core"
	"pgregory.net/rapid"
)

func anyName() *rapid.Generator[string] {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
	}
	return rapid.SampledFrom(names)
}

// TestAnyText holds that no text panics, that what is read is read again as
// the same, and that an error leaves the values alone.
func TestAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(anyName(), rapid.String()).Draw(t, "name")
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[-+]?[0-9.e]{0,12}`)).Draw(t, "text")
		var v Values
		if v.Set(name, text) != nil {
			require.Zero(t, v.Len())
			return
		}
		read, set := v.Get(name)
		if !set {
			require.Zero(t, v.Len())
			return
		}
		again := v
		require.NoError(t, again.Set(name, read))
		require.Equal(t, v, again)
	})
}

// goodPairs draws good texts for some settings.
func goodPairs(t *rapid.T) map[string]string {
	pairs := map[string]string{}
	for _, name := range rapid.SliceOfNDistinct(anyName(), 0, 12, rapid.ID).Draw(t, "names") {
		texts := slices.Sorted(maps.Keys(table[name].good))
		pairs[name] = rapid.SampledFrom(texts).Draw(t, name)
	}
	return pairs
}

// flat prices everything at 1.
type flat struct{}

func (flat) Round(core.Shape) core.Nanos      { return 1 }
func (flat) Pass(core.Asked) core.Nanos       { return 1 }
func (flat) Cheapest(s core.Shape) core.Shape { return s }

// known is a world for the oracle rule.
type known struct{ flat }

func (known) Pass(core.Asked, bool) core.Nanos { return 1 }
func (known) Chance(int, int) float64          { return 0.5 }

// TestAnyMode holds that good texts always give a valid configuration, in
// whatever order they are set, and that only set values are noted.
func TestAnyMode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pairs := goodPairs(t)
		names := slices.Sorted(maps.Keys(pairs))
		var forth, back Values
		for _, name := range names {
			require.NoError(t, forth.Set(name, pairs[name]))
		}
		for _, name := range slices.Backward(names) {
			require.NoError(t, back.Set(name, pairs[name]))
		}
		base := core.DefaultConfig()
		base.Prices = flat{}
		base.Truth = known{}
		base.Drafts = rapid.Bool().Draw(t, "drafter")
		c, notes, err := forth.Config(base)
		require.NoError(t, err)
		c2, notes2, err := back.Config(base)
		require.NoError(t, err)
		require.Equal(t, c, c2)
		require.Equal(t, notes, notes2)

		_, err = core.New(c)
		require.NoError(t, err)
		require.True(t, c.Steps || c.PromptShare == core.Whole)
		require.True(t, c.DraftDepth < c.LaunchRows)
		require.False(t, c.Drafts && !base.Drafts)
		for _, n := range notes {
			require.Contains(t, pairs, n.Setting)
		}
	})
}

// TestNotedWithoutDrafts holds that each set drafting value is noted when
// drafts are off.
func TestNotedWithoutDrafts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var v Values
		for name, text := range goodPairs(t) {
			require.NoError(t, v.Set(name, text))
		}
		require.NoError(t, v.Set(nameNoDrafts, "1"))
		_, notes, err := v.Config(core.DefaultConfig())
		require.NoError(t, err)
		noted := map[string]bool{}
		for _, n := range notes {
			noted[n.Setting] = true
		}
		for _, name := range []string{nameDrafts, namePlain, nameRule, nameDepth, "TF_DSV41_DRAFT_SKIP", "TF_DSV41_DEPTH_JOINT",
			"TF_DSV41_DEPTH_FAIR", "TF_DSV41_DEPTH_HOST_MS", "TF_DSV41_GRAPH_ROWS_MAX", "TF_DSV41_SPEC_DRAFT"} {
			require.Equal(t, v.set(name), noted[name], name)
		}
	})
}
