package settings

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tfsim/tfsim/core"
)

func TestEverySettingIsComplete(t *testing.T) {
	seen := map[string]bool{}
	groups := []string{}
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) {
			require.False(t, seen[s.Name], "twice")
			seen[s.Name] = true
			require.NotEqual(t, s.Env == "", s.Flag == "", "a variable or a flag")
			require.NotEmpty(t, s.Accepted)
			require.NotEmpty(t, s.Backend)
			require.NotEmpty(t, s.Doc)
			require.True(t, strings.HasSuffix(s.Doc, "."), "a sentence")
			require.NotContains(t, s.Describe(), "\n")
			require.Equal(t, s.Scope == Accepted, s.Group == groupAccepted)

			canonical, err := s.Canonical(s.Default)
			require.NoError(t, err)
			require.Equal(t, s.Default, canonical, "the default is canonical text")
			for _, o := range s.Options {
				_, err := s.Canonical(o)
				require.NoError(t, err)
			}
		})
		if len(groups) == 0 || groups[len(groups)-1] != s.Group {
			groups = append(groups, s.Group)
		}
	}
	require.Equal(t, []string{groupHost, groupPrompts, groupDrafts, groupOwn, groupAccepted}, groups, "each group is together")
}

func TestSearchTextsRead(t *testing.T) {
	for _, s := range All() {
		if s.Scope == Accepted {
			require.Zero(t, s.Search, s.Name)
		}
		numeric := s.Kind == Int || s.Kind == Fraction || s.Kind == Number
		require.Equal(t, numeric && s.Search.Values != nil, s.Search.Max > s.Search.Min, s.Name)
		for _, text := range s.Search.Values {
			_, err := s.Canonical(text)
			require.NoError(t, err)
			if numeric && text != "" {
				x, err := strconv.ParseFloat(text, 64)
				require.NoError(t, err)
				require.True(t, s.Search.Min <= x && x <= s.Search.Max, "%s: %s", s.Name, text)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	for _, name := range []string{"decode-share", "--decode-share", " --decode-share "} {
		s, ok := Lookup(name)
		require.True(t, ok)
		require.Equal(t, "--decode-share", s.Name)
	}
	_, ok := Lookup("--TF_DSV41_DEPTH")
	require.False(t, ok, "a variable is no flag")
	_, ok = Lookup("tf_dsv41_depth")
	require.False(t, ok, "variables have a case")
}

// modes to try a setting in: each is a list of names and texts.
var tried = [][]string{
	{},
	{namePieces, "1"},
	{namePolicy, "fcfs"},
	{nameOrder, "srpt"},
	{nameDecodeShare, "0.5"},
	{nameRule, "static"},
	{"TF_DSV41_DEPTH_JOINT", "2"},
}

func configOf(t *testing.T, base core.Config, pairs ...string) (core.Config, []Note) {
	t.Helper()
	var v Values
	for i := 0; i < len(pairs); i += 2 {
		require.NoError(t, v.Set(pairs[i], pairs[i+1]))
	}
	c, notes, err := v.Config(base)
	require.NoError(t, err)
	return c, notes
}

// TestNoSchedulerSettingIsANoOp holds that each setting of scheduler scope
// changes the configuration in some mode, without a note, and that no other
// setting ever does.
func TestNoSchedulerSettingIsANoOp(t *testing.T) {
	for _, s := range All() {
		changes := false
		for text := range table[s.Name].good {
			for _, pairs := range tried {
				before, _ := configOf(t, core.DefaultConfig(), pairs...)
				after, notes := configOf(t, core.DefaultConfig(), append([]string{s.Name, text}, pairs...)...)
				noted := false
				for _, n := range notes {
					noted = noted || n.Setting == s.Name
				}
				changes = changes || before != after && !noted
				if s.Scope == Accepted {
					require.True(t, noted, s.Name)
				}
			}
		}
		require.Equal(t, s.Scope == Scheduler, changes, s.Name)
	}
}

// TestDefaultsMeanUnset holds that giving a setting its default text is the
// same as leaving it unset, once what it turns on is on.
func TestDefaultsMeanUnset(t *testing.T) {
	for _, s := range All() {
		for _, pairs := range tried {
			pairs = append([]string{namePieces, "1"}, pairs...)
			if s.Name == nameDepth && pairs[len(pairs)-1] == "static" {
				continue // the default is the cost rule's
			}
			unset, _ := configOf(t, core.DefaultConfig(), pairs...)
			set, _ := configOf(t, core.DefaultConfig(), append([]string{s.Name, s.Default}, pairs...)...)
			require.Equal(t, unset, set, "%s=%s with %v", s.Name, s.Default, pairs)
		}
	}
	unset, _ := configOf(t, core.DefaultConfig())
	off, _ := configOf(t, core.DefaultConfig(), namePieces, "0")
	require.Equal(t, unset, off)
	require.Equal(t, core.DefaultConfig(), unset)
}
