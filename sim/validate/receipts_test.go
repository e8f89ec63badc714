package validate

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReceiptErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "not a receipt"},
		{"another file", "name: x\nmachine: y\n", "not a receipt"},
		{"a list", "- 1\n", ""},
		{"not YAML", "a: [", ""},
		{"a word for a number", "device: m3-ultra-512gb\ncells:\n  - {streams: two, T: 0, load: chat}\n", ""},
		{"no figure", "device: m3-ultra-512gb\ncells: [{streams: 1, T: 0, load: chat}]\n",
			"no figure for m3-ultra-512gb/decode/no-drafts/1 chat T0 256/decode_tok_s"},
		{"a figure of nothing", "device: m3-ultra-512gb\ncells: [{streams: 1, T: 0, load: chat, no_drafts: [0], earlier: [1]}]\n", "no figure"},
		{"a negative figure", "unit: x\nm3-ultra-512gb: {chat_T0: [-4]}\n", "no figure"},
		{"a word in a list", "unit: x\nm3-ultra-512gb: {chat_T0: [50, fast]}\n", "no figure"},
		{"an infinite figure", "unit: x\nm3-ultra-512gb: {chat_T0: [.inf]}\n", "no figure"},
		{"no cold runs", "source: x\nm3-ultra-512gb: {base: [30]}\n", "no figure for m3-ultra-512gb/cold/pieces"},
		{"no stream", "device: m3-ultra-512gb\ncells: [{streams: 0, T: 0, load: chat, no_drafts: [1], earlier: [1]}]\n", "0 streams"},
		{"too many streams", "device: m3-ultra-512gb\ncells: [{streams: 1000000000, T: 0, load: chat, no_drafts: [1], earlier: [1]}]\n", "1 to 4 streams"},
		{"an unknown load", "device: m3-ultra-512gb\ncells: [{streams: 1, T: 0, load: poem, no_drafts: [1], earlier: [1]}]\n", `load "poem"; accepted: chat, code`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := cells([]Receipt{{"r.yaml", []byte(c.text)}})
			require.ErrorContains(t, err, "r.yaml: ")
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// A cost table as it was measured is a receipt without cells.
func TestTablesHaveNoCells(t *testing.T) {
	all, err := cells([]Receipt{{"r.yaml", []byte("windows_ms: {}\n")}, {"s.yaml", []byte("rows_ms: {}\n")}})
	require.NoError(t, err)
	require.Empty(t, all)
}

// Repeated runs of one arm are one cell, their mean.
func TestRepeatedRunsAreOneCell(t *testing.T) {
	all, err := cells([]Receipt{{"r.yaml", []byte(`
device: m3-ultra-512gb
reply_first_gap_s: 0.5
long_first_lead_s: 10
arms:
  - {name: base-1, env: {}, long_ttft_alone: 160, reply_first: {long_ttft: 210, reply_done: 214, gap_max_ms: 1000}, long_first: {long_ttft: 262, reply_done: 255, gap_max_ms: 300}}
  - {name: base-2, env: {}, long_ttft_alone: 170, reply_first: {long_ttft: 220, reply_done: 216, gap_max_ms: 2000}, long_first: {long_ttft: 264, reply_done: 245, gap_max_ms: 500}}
repeat_unset:
  - {name: unset-1, env: {}, long_ttft_alone: 180, reply_first: {long_ttft: 230, reply_done: 218, gap_max_ms: 3000}, long_first: {long_ttft: 266, reply_done: 235, gap_max_ms: 700}}
`)}})
	require.NoError(t, err)
	got := map[string]float64{}
	for _, c := range all {
		got[c.id] = c.published
	}
	const fill = "m3-ultra-512gb/fill/base/"
	require.Equal(t, map[string]float64{
		fill + "reply first/reply.done_s": 216, fill + "reply first/long.ttft_s": 220, fill + "reply first/reply.gap_max_ms": 2000,
		fill + "long first/reply.done_s": 245, fill + "long first/long.ttft_s": 264, fill + "long first/reply.gap_max_ms": 500,
		"m3-ultra-512gb/cold/base/131072/ttft_s": 170,
	}, got)
}
