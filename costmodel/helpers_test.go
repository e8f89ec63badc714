package costmodel

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// small is a whole table that tests edit.
const small = `machine: small
device: a test device
weights: test weights
provenance:
  rows: {grade: measured, source: made up}
  chunk: {grade: fitted, source: made up}
  pass: {grade: fitted, source: made up}
  drafts: {grade: estimated, source: made up}
launch: {rows: 16, windows: 4}
rows:
  ms: {1: 20, 2: 25, 4: 30, 8: 50, 16: 40}
  sequences_ms: {1: 0, 2: 3, 4: 4}
  duplicate_ms: 1
pass: {ms: 4, ask_ms: 1, ingest_ms: 0.5}
chunk:
  ms: {64: {0: 100}, 512: {0: 500, 1000: 600}}
  unstaged_ms: {512: 100}
drafts:
  block: 5
  loads:
    chat: {greedy: {logit: 0.3}, sampled: {logit: 0.2}}
`

func parsed(t testing.TB, text string) *Table {
	t.Helper()
	table, err := Parse("small.yaml", []byte(text))
	require.NoError(t, err)
	return table
}

func opened(t testing.TB, name string) *Table {
	t.Helper()
	table, err := Open(name)
	require.NoError(t, err)
	return table
}

// edited replaces one part of the small table, which must be there.
func edited(t testing.TB, old, new string) string {
	t.Helper()
	require.Contains(t, small, old)
	return strings.Replace(small, old, new, 1)
}

func contents(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

// randomTable draws a table of either model whose costs go up and down.
func randomTable(t *rapid.T) *Table {
	cost := rapid.Float64Range(0, 100)
	curve := func(label string) Curve {
		c := Curve{{1, cost.Draw(t, label)}}
		for range rapid.IntRange(0, 6).Draw(t, label+" entries") {
			c = append(c, Point{c[len(c)-1].At + rapid.IntRange(1, 5).Draw(t, "step"), cost.Draw(t, label)})
		}
		return c
	}
	rows := rapid.IntRange(1, 40).Draw(t, "rows")
	table := &Table{Limits: Limits{
		Rows:      rows,
		Windows:   rapid.IntRange(1, rows).Draw(t, "windows"),
		FurtherMs: cost.Draw(t, "further"),
	}}
	if rapid.Bool().Draw(t, "grid") {
		g := Grid{{1, curve("windows")}}
		for range rapid.IntRange(0, 4).Draw(t, "lines") {
			g = append(g, Line{g[len(g)-1].At + rapid.IntRange(1, 3).Draw(t, "step"), curve("windows")})
		}
		table.Windows = &Windows{MS: g, Jump: rapid.SampledFrom([]float64{0, 1, 1.35, 3}).Draw(t, "jump")}
	} else {
		table.Rows = &Rows{MS: curve("rows"), SequencesMs: curve("sequences"), DuplicateMs: cost.Draw(t, "duplicate")}
	}
	return table
}
