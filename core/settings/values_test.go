package settings

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBlankIsUnset(t *testing.T) {
	var v Values
	for _, s := range All() {
		for text := range table[s.Name].good {
			for _, blank := range []string{"", " ", "\t\r\n"} {
				require.NoError(t, v.Set(s.Name, text))
				require.NoError(t, v.Set(s.Name, blank))
				require.Zero(t, v.Len())
			}
			break
		}
	}
}

func TestCopiesAreIndependent(t *testing.T) {
	var a Values
	require.NoError(t, a.Set("TFSIM_QUEUE", "1"))
	b := a
	require.NoError(t, b.Set("TFSIM_QUEUE", "2"))
	require.NoError(t, b.Set("TFSIM_ROUND_ROWS", "3"))
	text, _ := a.Get("TFSIM_QUEUE")
	require.Equal(t, "1", text)
	require.Equal(t, 1, a.Len())
}

func TestOver(t *testing.T) {
	var base, arm Values
	require.NoError(t, base.SetFrom("TFSIM_QUEUE", "1", "file"))
	require.NoError(t, base.SetFrom("TFSIM_ROUND_ROWS", "3", "file"))
	require.NoError(t, arm.SetFrom("TFSIM_QUEUE", "2", "arm"))
	both := arm.Over(base)
	require.Equal(t, []string{"TFSIM_ROUND_ROWS=3", "TFSIM_QUEUE=2"}, both.Environment())
	for _, l := range both.Explain() {
		switch l.Setting.Name {
		case "TFSIM_QUEUE":
			require.Equal(t, "arm", l.Origin)
		case "TFSIM_ROUND_ROWS":
			require.Equal(t, "file", l.Origin)
		case namePlain:
			require.Equal(t, "3, or what the machine says", l.Text)
			require.Equal(t, OriginDefault, l.Origin)
		default:
			require.Equal(t, OriginDefault, l.Origin)
			require.NotEmpty(t, l.Text)
		}
	}
	require.Equal(t, Values{}.Over(base), base.Over(Values{}))
}

func TestLinesToPaste(t *testing.T) {
	var v Values
	for name, text := range map[string]string{"no-drafts": "on", "learn": "off", "decode-share": ".25", namePieces: "TRUE", nameOrder: "srpt"} {
		require.NoError(t, v.Set(name, text))
	}
	require.Equal(t, []string{"TF_DSV41_PREFILL_PIECES=1", "TENSORFOLD_PREFILL_ORDER=srpt"}, v.Environment())
	require.Equal(t, []string{"--decode-share", "0.25", "--no-drafts"}, v.Flags())
}

func TestHostValues(t *testing.T) {
	var v Values
	_, set := v.PromptCacheBytes()
	require.False(t, set)
	require.Equal(t, "default", v.CalibKind())

	require.NoError(t, v.Set("--prompt-cache-gib", "2.5"))
	bytes, set := v.PromptCacheBytes()
	require.True(t, set)
	require.Equal(t, int64(5)<<29, bytes)
	require.NoError(t, v.Set("--prompt-cache-gib", "2147483647"))
	bytes, _ = v.PromptCacheBytes()
	require.Equal(t, int64(2147483647)<<30, bytes)

	for text, want := range map[string]string{"cached": "measured", "REAL": "measured", "measure": "measured", "zig": "measured", "default": "default", "": "default"} {
		require.NoError(t, v.Set(nameCalib, text))
		require.Equal(t, want, v.CalibKind(), text)
	}
}

func TestUnkeptNotes(t *testing.T) {
	var v Values
	require.Empty(t, v.UnkeptNotes())
	require.NoError(t, v.Set(namePrefixWait, "500"))
	require.Equal(t, "TENSORFOLD_PREFIX_WAIT_MS=500: no effect: no prompt states are kept (--prompt-cache-gib)", v.UnkeptNotes()[0].String())
}
