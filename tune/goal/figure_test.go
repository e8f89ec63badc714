package goal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/result"
)

func request(id string, tokens, done float64) result.Request {
	return result.Request{ID: id, Status: result.Done, OutputTokens: result.Count(tokens), Done: result.Some(done)}
}

func TestFigures(t *testing.T) {
	run := &result.Run{
		Requests: []result.Request{request("a", 10, 1), request("b", 10, 3), {ID: "c", Status: result.Failed}},
		Totals:   result.Totals{Wall: result.Some(7), Gap: result.Tail{P95: result.Some(40)}},
	}
	for _, c := range []struct {
		metric string
		want   float64
	}{
		{"wall_s", 7}, {"gap_ms.p95", 40}, {"done_s(b)", 3},
		{"done_s.mean", 2}, {"done_s.min", 1}, {"done_s.max", 3}, {"done_s.p50", 2}, {"done_s.p95", 2.9}, {"done_s.p99", 2.98},
		{"fairness", (10 + 10.0/3) * (10 + 10.0/3) / (2 * (100 + 100.0/9))},
	} {
		o, err := ParseObjective("min " + c.metric)
		require.NoError(t, err)
		v := o.Of(run)
		require.True(t, v.Valid, c.metric)
		require.InDelta(t, c.want, v.Value, 1e-12, c.metric)
	}
	for _, absent := range []string{"done_s(c)", "done_s(d)", "decode_tok_s", "queue_s.p95"} {
		o, err := ParseObjective("min " + absent)
		require.NoError(t, err)
		require.False(t, o.Of(run).Valid, absent)
	}
	require.False(t, Metric{Name: fairness}.Of(&result.Run{}).Valid)
}

func TestPerRequest(t *testing.T) {
	for name, want := range map[string]bool{"wall_s": false, "ttft_s.p95": false, "ttft_s.mean": true, "fairness": true} {
		require.Equal(t, want, Metric{Name: name}.PerRequest(), name)
	}
	require.True(t, Metric{Name: "done_s", Request: "r"}.PerRequest())
}

func TestBounds(t *testing.T) {
	c, err := ParseConstraint("wall_s <= 2 * base")
	require.NoError(t, err)
	require.Equal(t, 6.0, c.Bound(3))
	require.Equal(t, -1.0, c.Excess(5, 6))
	c, err = ParseConstraint("goodput_rps >= 5")
	require.NoError(t, err)
	require.Equal(t, 5.0, c.Bound(3))
	require.Equal(t, 1.0, c.Excess(4, 5))
	require.Equal(t, -4.0, Objective{Max: true}.Cost(4))
	require.Equal(t, 4.0, Objective{}.Cost(4))
}
