package validate

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReceiptsHold keeps the tables and the scheduler to the published
// measurements. The bars are the project's promise in docs/fidelity.md.
func TestReceiptsHold(t *testing.T) {
	report, err := Run()
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, report.WriteText(&text))
	t.Log("\n" + text.String())
	for _, bar := range []struct {
		group             string
		median, four, all float64
		unidentified      int
	}{
		{GroupFill, 0.04, 0.10, 1, 5},
		{GroupDecode, 0.025, 0.06, 1, 0},
		{GroupCold, 0.03, 0.03, 0.03, 0},
	} {
		g := report.group(bar.group)
		require.LessOrEqual(t, g.Median, bar.median, bar.group)
		require.LessOrEqual(t, g.quantile(0.8), bar.four, bar.group)
		require.LessOrEqual(t, g.Worst, bar.all, bar.group)
		require.LessOrEqual(t, g.Unidentified, bar.unidentified, bar.group)
	}
}

func (r *Report) group(name string) *Group {
	for i := range r.Groups {
		if r.Groups[i].Name == name {
			return &r.Groups[i]
		}
	}
	return nil
}

func TestReportIsOneDocument(t *testing.T) {
	r := &Report{Groups: []Group{{Name: "fill", Cells: []Cell{{ID: "a", Published: 2, Simulated: 1, Error: 0.5}}}}}
	r.Groups[0].sum()
	var out bytes.Buffer
	require.NoError(t, r.WriteJSON(&out))
	var back map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &back))
	group := back["groups"].([]any)[0].(map[string]any)
	require.Equal(t, 0.5, group["median"])
	cell := group["cells"].([]any)[0].(map[string]any)
	for _, key := range []string{"id", "published", "simulated", "error", "fitted", "note"} {
		require.Contains(t, cell, key)
	}
}

func TestUnidentifiedCellsAreLeftOut(t *testing.T) {
	g := Group{Cells: []Cell{{Error: 0.01}, {Error: 0.03}, {Error: 0.9, Note: unidentified + ": why"}}}
	g.sum()
	require.Equal(t, 0.02, g.Median)
	require.Equal(t, 0.03, g.Worst)
	require.Equal(t, 1, g.Unidentified)
}

// TestNotesNameCells catches a note whose cell is gone.
func TestNotesNameCells(t *testing.T) {
	shipped, err := Shipped()
	require.NoError(t, err)
	all, err := cells(shipped)
	require.NoError(t, err)
	ids := map[string]bool{}
	for _, c := range all {
		require.False(t, ids[c.id], "%s stands twice", c.id)
		require.Positive(t, c.published, c.id)
		ids[c.id] = true
	}
	for id := range notes {
		require.True(t, ids[id], id)
	}
}
