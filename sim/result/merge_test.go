package result

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func TestStudentTable(t *testing.T) {
	for df := 1; df < 300; df++ {
		want := distuv.StudentsT{Sigma: 1, Nu: float64(df)}.Quantile(0.975)
		assert.InDelta(t, want, student975(df), 1e-7, "df %d", df)
	}
}

func TestMergeOfTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 2, 40).Draw(t, "values")
		runs := make([]Run, len(values))
		for i, v := range values {
			runs[i] = Run{Seeds: 1, Totals: Totals{DecodeRate: Some(v), Gap: Tail{P95: Some(v)}}}
		}
		m := Merge(runs)
		mean, sd := stat.MeanStdDev(values, nil)
		half := distuv.StudentsT{Sigma: 1, Nu: float64(len(values) - 1)}.Quantile(0.975) * stat.StdErr(sd, float64(len(values)))
		require.Equal(t, len(values), m.Seeds)
		require.InDelta(t, mean, m.Totals.DecodeRate.Value, 1e-6)
		for _, name := range []string{"decode_tok_s", "gap_ms.p95"} {
			ci := m.CI95[name]
			require.InDelta(t, mean-half, ci[0].Value, 1e-6*(1+half))
			require.InDelta(t, mean+half, ci[1].Value, 1e-6*(1+half))
		}
		require.Len(t, m.CI95, len(totalsFigures))
		require.Nil(t, m.CI95["share"], "no run has it")
		require.False(t, m.Totals.Share.Valid)
	})
}

func TestMergeOfRequests(t *testing.T) {
	m := Merge([]Run{
		{Seeds: 1, Requests: []Request{{ID: "a", Status: Done, Done: Some(2), Rounds: 3}, {ID: "b", Status: Done}}},
		{Seeds: 1, Saturated: true, Requests: []Request{{ID: "a", Status: Cancelled, Rounds: 4}, {ID: "c", Status: Failed}}},
	})
	assert.True(t, m.Saturated)
	assert.Equal(t, []Request{
		{ID: "a", Status: Cancelled, Done: Some(2), Rounds: 3.5},
		{ID: "b", Status: Done},
		{ID: "c", Status: Failed},
	}, m.Requests)
}

func TestMergeOfOneRunIsThatRun(t *testing.T) {
	run := Run{Seeds: 1, Totals: Totals{Wall: Some(1)}}
	assert.Equal(t, run, Merge([]Run{run}))
	assert.Nil(t, run.CI95)
}
