package validate

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/costmodel"
)

func named(t *testing.T, names ...string) (all []Parameter) {
	for _, p := range append(roundParameters(), draftParameters()...) {
		if slices.Contains(names, p.Name) {
			all = append(all, p)
		}
	}
	require.Len(t, all, len(names))
	return all
}

// planted is the fit of some parameters to figures that a table itself gave.
func planted(t *testing.T, benches []*bench, names ...string) *Problem {
	table, err := costmodel.Open("m3-ultra-512gb")
	require.NoError(t, err)
	p := &Problem{Table: table, Parameters: named(t, names...), Seeds: 4}
	for _, b := range benches {
		p.cells = append(p.cells, decodeCell("m3-ultra-512gb", "planted", "cell", 0, b))
	}
	values, err := simulate(p.cells, func(string) *costmodel.Table { return table }, p.Seeds)
	require.NoError(t, err)
	for i := range p.cells {
		p.cells[i].published = values[i]
	}
	return p
}

// A fit that starts off the mark finds the figures that made the cells.
func TestFitRecoversWhatWasPlanted(t *testing.T) {
	p := planted(t, []*bench{
		decode("chat", 1, 64, 0, noDrafts), decode("chat", 1, 64, 0), decode("code", 1, 64, 0),
		decode("chat", 2, 64, 1, noDrafts), decode("chat", 2, 64, 1), decode("code", 3, 64, 0, noDrafts),
	}, "rows.first", "pass")
	truth := map[string]float64{}
	for _, q := range p.Parameters {
		truth[q.Name] = q.get(p.Table)
		q.set(p.Table, q.get(p.Table)*map[string]float64{"rows.first": 1.1, "pass": 0.8}[q.Name])
	}
	p.start = p.point()
	steps := 0
	require.NoError(t, p.Fit(12, func(i int, _ float64) { steps = i }))
	require.Positive(t, steps)
	for _, q := range p.Parameters {
		require.InEpsilon(t, truth[q.Name], q.get(p.Table), 0.03, q.Name)
	}
	f, err := p.Result()
	require.NoError(t, err)
	for _, c := range f.Cells {
		require.Less(t, c.Error, 0.005, c.ID)
	}
}

// A figure that no cell touches is said not to be identifiable, and stays.
func TestUntouchedFiguresAreNotIdentifiable(t *testing.T) {
	p := planted(t, []*bench{decode("chat", 1, 32, 0, noDrafts), decode("chat", 2, 32, 1, noDrafts)}, "rows.first", "pass", "rows.duplicate")
	p.start = p.point()
	figure := func(name string) float64 { return named(t, name)[0].get(p.Table) }
	before := figure("pass")
	require.NoError(t, p.Fit(3, nil))
	f, err := p.Result()
	require.NoError(t, err)
	identifiable := map[string]bool{}
	for _, v := range f.Values {
		identifiable[v.Name] = v.Identifiable()
	}
	require.Equal(t, map[string]bool{"rows.first": true, "pass": false, "rows.duplicate": false}, identifiable)
	require.InEpsilon(t, before, figure("pass"), 1e-6)
	var text bytes.Buffer
	require.NoError(t, f.WriteText(&text))
	require.Contains(t, text.String(), "not identifiable")
}

func TestFitNeedsFigures(t *testing.T) {
	shipped, err := Shipped()
	require.NoError(t, err)
	for machine, want := range map[string]string{
		"gb10-x2":              "no decode figures of gb10-x2",
		"h200-llamacpp-vulkan": "no decode figures of h200-llamacpp-vulkan",
	} {
		table, err := costmodel.Open(machine)
		require.NoError(t, err)
		_, err = NewProblem(table, shipped)
		require.ErrorContains(t, err, want)
	}
	// A table without what is fitted says so rather than panicking.
	table, err := costmodel.Open("m3-ultra-512gb")
	require.NoError(t, err)
	table.Rows.SequencesMs = table.Rows.SequencesMs[:2]
	_, err = NewProblem(table, shipped)
	require.ErrorContains(t, err, "no figure for sequences.3")
	table.Sampling = nil
	_, err = NewProblem(table, shipped)
	require.ErrorContains(t, err, "a fit needs a table with rows, sampling and pass")
}
