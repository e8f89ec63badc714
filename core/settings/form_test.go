package settings

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// texts lists good texts with their canonical form, and bad texts.
type texts struct {
	good map[string]string
	bad  []string
}

func same(texts ...string) map[string]string {
	m := map[string]string{}
	for _, t := range texts {
		m[t] = t
	}
	return m
}

var (
	boolTexts = texts{
		map[string]string{"0": "0", "1": "1", "off": "0", "ON": "1", "False": "0", " true ": "1"},
		[]string{"2", "yes", "-1", "1.0", "tru"},
	}
	countTexts    = texts{same("0", "1", "2147483647"), []string{"-1", "x", "1.5", "2147483648", "1e3", "99999999999999999999"}}
	positiveTexts = texts{map[string]string{"1": "1", " 0100 ": "100"}, []string{"0", "-1", "x", "1.5", "2147483648"}}
	shareTexts    = texts{
		map[string]string{"1": "1", "1.0": "1", "0.75": "0.75", ".5": "0.5", "0.000001": "0.000001", "0.7500000000": "0.75"},
		[]string{"0", "0.0", "1.000001", "2", "-0.5", "+0.5", "NaN", "inf", "1e-1", "0.0000001", ".", "0.5.5", "50%", "0,5"},
	}
	partTexts = texts{
		map[string]string{"0": "0", "0.": "0", "0.25": "0.25", "0.999999": "0.999999"},
		[]string{"1", "1.5", "-0.1", "NaN", "x", "0.9999999"},
	}
	sizeTexts = texts{map[string]string{"0": "0", "4": "4", "0.50": "0.5", "1.5": "1.5"}, []string{"-1", "x", "NaN", "1e3", "999999999999"}}
	anyTexts  = texts{good: same("x", "/tmp/a b", "1", "☃")}
)

func rangeTexts(good []string, bad ...string) texts {
	return texts{same(good...), append(bad, "x", "-1", "1.5")}
}

func choiceTexts(options ...string) texts {
	return texts{same(options...), []string{"other", "0", strings.ToUpper(options[0])}}
}

// table has the texts of every setting.
var table = map[string]texts{
	"--parallel":         {same("auto", "1", "4"), []string{"0", "-1", "Auto", "x", "1.5"}},
	"--context":          positiveTexts,
	"--prompt-cache-gib": sizeTexts,

	"TF_DSV41_PREFILL_PIECES":   boolTexts,
	"TENSORFOLD_PREFILL_ORDER":  choiceTexts("turns", "srpt", "fcfs"),
	"TENSORFOLD_PREFILL_POLICY": choiceTexts("fcfs"),
	"TENSORFOLD_PREFILL_TOKENS": positiveTexts,
	"TENSORFOLD_PREFILL_SHARE":  shareTexts,
	"TENSORFOLD_PREFILL_BUDGET": positiveTexts,
	"--decode-share":            partTexts,

	"--no-drafts":                  boolTexts,
	"TF_DSV41_DRAFTS":              boolTexts,
	"TF_DSV41_DRAFT_PLAIN_STREAMS": countTexts,
	"TF_DSV41_CALIB": {
		map[string]string{"cached": "cached", "Real": "real", "DEFAULT": "default", "measure": "measure", "zig": "zig"},
		[]string{"other", "0"},
	},
	"TF_DSV41_DEPTH":       choiceTexts("cost", "static"),
	"TF_DSV41_DRAFT_DEPTH": rangeTexts([]string{"0", "5", "15"}, "16"),
	"TF_DSV41_DRAFT_SKIP":  boolTexts,
	"TF_DSV41_DEPTH_JOINT": {
		map[string]string{"0": "0", "1": "1", "2": "2", "off": "0", "TRUE": "1"},
		[]string{"3", "-1", "x", "yes"},
	},
	"TF_DSV41_DEPTH_FAIR": {
		map[string]string{"0": "0", "0.50": "0.5", "4": "4", "1.234567": "1.234567"},
		[]string{"4.000001", "-1", "NaN", "0.1234567"},
	},
	"TF_DSV41_DEPTH_HOST_MS": {
		map[string]string{"0": "0", "3.0": "3", "100": "100", "0.000001": "0.000001"},
		[]string{"100.1", "-1", "NaN"},
	},
	"TF_DSV41_GRAPH_ROWS_MAX": rangeTexts([]string{"1", "64"}, "0", "65"),
	"TF_DSV41_ROWS_CAP":       rangeTexts([]string{"1", "8", "12", "16", "24", "32", "48", "64"}, "0", "9", "17", "65", "128"),
	"TF_DSV41_SPEC_DRAFT":     boolTexts,

	"TFSIM_DRAFT_RULE":          choiceTexts(draftRuleNames...),
	"TFSIM_STEP_ROWS":           positiveTexts,
	"TFSIM_PREFILL_PASSED_OVER": positiveTexts,
	"TFSIM_SHARE_OVERRUN":       boolTexts,
	"TFSIM_ROUND_STREAMS":       countTexts,
	"TFSIM_ROUND_ROWS":          countTexts,
	"TFSIM_QUEUE":               countTexts,

	"--checkpoint-slots":        countTexts,
	"--spill-gib":               sizeTexts,
	"--learn":                   boolTexts,
	"--learn-gib":               sizeTexts,
	"--learn-min-free-gib":      sizeTexts,
	"--mtp-drafts":              countTexts,
	"--mtp-confidence":          sizeTexts,
	"--drafter":                 anyTexts,
	"--drafter-bits":            positiveTexts,
	"--thinking-reserve":        anyTexts,
	"TENSORFOLD_PARALLEL":       anyTexts,
	"TENSORFOLD_PREFIX_WAIT_MS": countTexts,
	"TENSORFOLD_PREFILL_ROWS":   rangeTexts([]string{"256", "16384"}, "255", "16385"),
	"TENSORFOLD_SEED_SALT":      {same("0", "-5", "7"), []string{"x", "1.5"}},

	"TF_DSV41_DRAFT_PRICED":    boolTexts,
	"TF_DSV41_CALIB_DIR":       anyTexts,
	"TF_DSV41_CALIB_FILE":      anyTexts,
	"TF_DSV41_CALIB_SHAPE":     choiceTexts("raw", "fit"),
	"TF_DSV41_CALIB_STAT":      choiceTexts("median", "min"),
	"TF_DSV41_CALIB_REPS":      rangeTexts([]string{"1", "50"}, "0", "51"),
	"TF_DSV41_CALIB_WARM":      rangeTexts([]string{"0", "20"}, "21"),
	"TF_DSV41_CALIB_RECHECK":   rangeTexts([]string{"0", "8"}, "9"),
	"TF_DSV41_CALIB_CYCLE":     rangeTexts([]string{"0", "8"}, "9"),
	"TF_DSV41_CALIB_DEEP_REPS": rangeTexts([]string{"1", "50"}, "0", "51"),
	"TF_DSV41_CALIB_BUDGET_MS": sizeTexts,

	"TF_DSV41_CODE_ACCEPT":   boolTexts,
	"TF_DSV41_GRAPH_BUCKET":  positiveTexts,
	"TF_DSV41_SPEC_NUCLEUS":  boolTexts,
	"TF_DSV41_DRAFT_TIMED":   boolTexts,
	"TF_DSV41_TREE":          anyTexts,
	"TF_DSV41_TREE_ROWS":     positiveTexts,
	"TF_DSV41_TREE_DUP_MS":   sizeTexts,
	"TF_DSV41_DRAFT_PRIOR":   sizeTexts,
	"TF_DSV41_DRAFT_RESET":   countTexts,
	"TF_DSV41_DRAFT_RELAX":   sizeTexts,
	"TF_DSV41_SLOTS":         positiveTexts,
	"TF_DSV41_TAIL_JOIN":     anyTexts,
	"TF_DSV41_PIECE_RUNS":    anyTexts,
	"TF_DSV41_JOIN_DRAFTS":   anyTexts,
	"TF_DSV41_REPLAY_RUNS":   anyTexts,
	"TF_DSV41_PREFILL_ROWS":  anyTexts,
	"TF_DSV41_PREFILL_CHUNK": anyTexts,
	"TF_DSV41_BATCH_SHORT":   countTexts,
	"TF_DSV41_PREFILL_SHARE": shareTexts,
	"TF_DSV41_LONG_PROMPT":   positiveTexts,

	"TF_DSV41_PREFILL_CONCURRENT":   countTexts,
	"TF_DSV41_PIECES_FLOOR":         anyTexts,
	"TF_DSV41_FLOOR_GIB":            sizeTexts,
	"TF_DSV41_FLOOR_HARD_GIB":       sizeTexts,
	"TF_DSV41_FLOOR_REFUSE_S":       sizeTexts,
	"TF_DSV41_ADMIT_FREE_FLOOR_GIB": sizeTexts,
	"TF_DSV41_FLOOR_PRICE":          boolTexts,
	"TF_DSV41_FLOOR_PF_CHUNK_GIB":   sizeTexts,
	"TF_DSV41_FLOOR_PF_INDEX_GIB":   sizeTexts,
	"TF_DSV41_FLOOR_PF_HOST_GIB":    sizeTexts,
	"TF_DSV41_FLOOR_PF_OTHER_GIB":   sizeTexts,
	"TF_DSV41_INDEX_BUDGET_MIB":     sizeTexts,
	"TF_DSV41_PREFILL_ADAPT":        boolTexts,
	"TF_DSV41_PREFILL_ADAPT_GIB":    sizeTexts,
	"TF_DSV41_PREFILL_ADAPT_UP_GIB": sizeTexts,
	"TF_DSV41_PREFILL_ADAPT_MIN":    rangeTexts([]string{"16", "512"}, "15"),
	"TF_DSV41_POOL_TOKENS":          positiveTexts,
	"TF_DSV41_ROUND_PROF":           anyTexts,
	"TF_DSV41_ACCEPT_LOG":           anyTexts,
}

func TestForms(t *testing.T) {
	require.Len(t, table, len(All()), "the table has every setting and no other")
	for _, s := range All() {
		c, ok := table[s.Name]
		require.True(t, ok, "%s is missing from the table", s.Name)
		for text, canonical := range c.good {
			var v Values
			require.NoError(t, v.Set(s.Name, text))
			got, set := v.Get(s.Name)
			require.True(t, set)
			require.Equal(t, canonical, got, "%s=%q", s.Name, text)
			again, err := s.Canonical(canonical)
			require.NoError(t, err)
			require.Equal(t, canonical, again, "%s: canonical text is a fixed point", s.Name)
		}
		for _, text := range c.bad {
			var v Values
			err := v.Set(s.Name, text)
			require.Error(t, err, "%s=%q", s.Name, text)
			require.Contains(t, err.Error(), s.Name+"="+quote(text)+": ")
			require.True(t, strings.HasSuffix(err.Error(), "want "+s.Accepted), err.Error())
			require.NotContains(t, err.Error(), "\n")
			require.Zero(t, v.Len())
		}
	}
}

func TestErrorTexts(t *testing.T) {
	var v Values
	for _, c := range []struct{ name, text, want string }{
		{"TF_DSV41_DRAFT_PLAIN_STREAMS", "x", `TF_DSV41_DRAFT_PLAIN_STREAMS="x": want an integer of at least 0 (0 = never)`},
		{"--prompt-cache-gib", "-1", `--prompt-cache-gib="-1": want a number from 0 to 2147483647 (GiB, 0 = off)`},
		{"decode-share", "NaN", `--decode-share="NaN": want a fraction of at least 0 and under 1`},
		{"TENSORFOLD_PREFILL_SHARE", "0.1234567", `TENSORFOLD_PREFILL_SHARE="0.1234567": at most 6 decimals; want a fraction over 0 and at most 1`},
		{"TENSORFOLD_PREFILL_ORDER", "a\nb", `TENSORFOLD_PREFILL_ORDER="a\nb": want turns, srpt or fcfs`},
		{"TF_DSV41_DRAFT_DEPHT", "3", `unknown setting "TF_DSV41_DRAFT_DEPHT"; nearest: TF_DSV41_DRAFT_DEPTH`},
		{"nodrafts", "1", `unknown setting "nodrafts"; nearest: --no-drafts`},
		{"PATH", "/bin", `unknown setting "PATH"`},
		{"", "", `unknown setting ""`},
	} {
		require.EqualError(t, v.Set(c.name, c.text), c.want)
	}
}

func TestMillionths(t *testing.T) {
	for text, want := range map[string]int64{"0.1": 100_000, "0.29": 290_000, "0.57": 570_000, "1.005": 1_005_000, "0.000001": 1, "12": 12_000_000} {
		n, err := millionths(text)
		require.NoError(t, err)
		require.Equal(t, want, n, text)
		require.Equal(t, text, decimal(n))
	}
}
