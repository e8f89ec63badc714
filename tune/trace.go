package tune

import (
	"math"

	"github.com/tfsim/tfsim/sim/result"
)

// trace mixes a run's figures into what came before. It is never 0.
func trace(h uint64, r *result.Run) uint64 {
	mix := func(v float64) {
		h = (h ^ math.Float64bits(v)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	t := &r.Totals
	for _, v := range []result.Num{
		t.Wall, t.DecodeRate, t.PromptRate, t.DeviceBusy, t.Share, t.GoodputRate, t.SlotBusy,
		t.TTFT.P50, t.TTFT.P95, t.TTFT.P99, t.Gap.P50, t.Gap.P95, t.Gap.P99, t.Gap.Max,
	} {
		mix(v.Value)
	}
	for _, n := range []result.Count{t.Rounds, t.Passes, t.Steps, t.Drafted, t.Accepted, t.Done, t.Failed} {
		mix(float64(n))
	}
	for i := range r.Requests {
		q := &r.Requests[i]
		for _, v := range []result.Num{q.Queue, q.TTFT, q.Done, q.GapP95, q.GapMax} {
			mix(v.Value)
		}
		mix(float64(q.Drafted))
	}
	return max(h, 1)
}
