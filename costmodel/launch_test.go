package costmodel

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tfsim/tfsim/core"
)

func ms(v float64) core.Nanos { return nanos(v) }

func TestLaunchOfRows(t *testing.T) {
	table := parsed(t, withContext(t))
	for _, c := range []struct {
		name  string
		load  Load
		price float64
		grade Grade
	}{
		{"nothing", Load{}, 0, Measured},
		{"an entry", Load{Windows: 1, Rows: 2}, 25, Measured},
		{"between entries", Load{Windows: 1, Rows: 6}, 40, Estimated},
		{"falling costs are kept", Load{Windows: 1, Rows: 16}, 40, Measured},
		{"between sequences", Load{Windows: 3, Rows: 4}, 33.5, Estimated},
		{"duplicates", Load{Windows: 2, Rows: 4, Duplicate: 2}, 25 + 3 + 2, Measured},
		{"no more duplicates than rows", Load{Windows: 1, Rows: 2, Duplicate: 9}, 20 + 1, Measured},
		{"context", Load{Windows: 1, Rows: 1, Context: 5000}, 20.5, Fitted},
		{"sampling", Load{Windows: 1, Rows: 1, Sampled: 1}, 20.2, Estimated},
		{"beyond falling rows the last holds", Load{Windows: 1, Rows: 17}, 40, Extrapolated},
		{"beyond the sequences", Load{Windows: 6, Rows: 8}, 55, Extrapolated},
	} {
		t.Run(c.name, func(t *testing.T) {
			price, grade := table.Launch(c.load)
			require.Equal(t, ms(c.price), price)
			require.Equal(t, c.grade, grade)
		})
	}
}

// withContext is the small table with a context and a sampling section.
func withContext(t testing.TB) string {
	t.Helper()
	text := edited(t, "  pass: {grade", "  context: {grade: fitted, source: x}\n  sampling: {grade: estimated, source: x}\n  pass: {grade")
	return text + "context_ms_per_1k: 0.1\nsampling: {row_ms: 0.2}\n"
}

func TestLaunchAtAPriceForEachSequence(t *testing.T) {
	table := opened(t, "gb10-x2")
	price, grade := table.Launch(Load{Windows: 4, Rows: 8})
	require.Equal(t, ms(51.33+3*0.8305), price)
	require.Equal(t, Measured, grade)
}

func TestRound(t *testing.T) {
	table := parsed(t, small)
	table.Limits.FurtherMs = 2
	table.Provenance.Launch = Provenance{Grade: Fitted, Source: "made up"}
	price, grade := table.Round(nil)
	require.Zero(t, price)
	require.Equal(t, Measured, grade)
	price, grade = table.Round([]Load{{Windows: 1, Rows: 2}})
	require.Equal(t, ms(25), price)
	require.Equal(t, Measured, grade)
	price, grade = table.Round([]Load{{Windows: 1, Rows: 2}, {Windows: 1, Rows: 1}})
	require.Equal(t, ms(25+20+2), price)
	require.Equal(t, Fitted, grade)
	price, grade = table.Round([]Load{{Windows: 1, Rows: 2}, {Windows: 1, Rows: 1}, {Windows: 1, Rows: 17}})
	require.Equal(t, ms(25+20+40+2*2), price)
	require.Equal(t, Extrapolated, grade)
}
