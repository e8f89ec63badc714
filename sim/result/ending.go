package result

import (
	"slices"

	"github.com/tfsim/tfsim/core"
)

// end takes a request out and keeps what its results need.
func (r *Recorder) end(e *core.Event, status Status) {
	q := r.find(e)
	if q == nil {
		return
	}
	if q.waiting {
		r.waiting--
	}
	r.fill(q, false)
	slices.Sort(q.gaps)
	r.tally.add(q, e.At, status, r.opts.SLO)
	if r.opts.PerRequest {
		r.ended[q.index] = q.request(status)
	}
	delete(r.live, q.id)
	if q.slot >= 0 && r.slots[q.slot] == q {
		r.slots[q.slot] = nil
	}
	r.free = append(r.free, q)
}

// Refuse says that the scheduler did not take a declared request, which then
// has no events: it failed.
func (r *Recorder) Refuse(id core.ID, at core.Micros) {
	r.end(&core.Event{At: at, ID: id, Slot: -1}, Failed)
}

// Result gives the figures of the run so far, which ends at end. Requests in
// flight are unfinished. The recorder may go on.
func (r *Recorder) Result(end core.Micros) Run {
	run := Run{Seeds: 1, Requests: slices.Clone(r.ended)}
	if run.Requests == nil {
		run.Requests = []Request{}
	}
	t := r.tally
	for _, q := range r.live {
		t.add(q, end, Unfinished, nil)
		if r.opts.PerRequest {
			open := *q
			open.gaps = slices.Sorted(slices.Values(q.gaps))
			run.Requests[q.index] = open.request(Unfinished)
		}
	}
	if r.opts.Workload {
		lanes := max(r.opts.Lanes, 1)
		run.Saturated = r.waiting > lanes || r.backlog.grew(lanes)
	}
	run.Totals = r.totals(&t, end)
	return run
}

func (r *Recorder) totals(t *tally, end core.Micros) Totals {
	wall := max(end-r.firstSent, 0)
	out := Totals{
		Wall:       seconds(wall),
		DecodeRate: perSecond(t.decoded, t.last-t.first),
		SteadyRate: perSecond(r.steady.tokens, r.steady.over),
		PromptRate: perSecond(r.stepRows, r.stepWall),
		Rounds:     Count(r.rounds),
		Passes:     Count(r.passes),
		Steps:      Count(r.steps),
		Drafted:    Count(r.drafted),
		Accepted:   Count(r.accepted),
		DeviceBusy: ratio(float64(r.device), float64(wall)),
		SlotBusy:   ratio(float64(t.held), float64(wall)*float64(r.opts.Lanes)),
		Done:       Count(t.statuses[Done.rank()]),
		Cancelled:  Count(t.statuses[Cancelled.rank()]),
		Failed:     Count(t.statuses[Failed.rank()]),
		Unfinished: Count(t.statuses[Unfinished.rank()]),
	}
	if r.besideSteps > 0 {
		out.Share = ratio(float64(r.besideSteps), float64(r.besideSteps+r.besideRounds))
	}
	if r.opts.SLO != nil {
		out.GoodputRate = perSecond(int64(t.good), wall)
	}
	ps, at := [...]int{50, 95, 99}, [3]fine{}
	if r.ttft.n > 0 {
		r.ttft.percentiles(ps[:], at[:])
		out.TTFT = Quantiles{P50: at[0].seconds(), P95: at[1].seconds(), P99: at[2].seconds()}
	}
	if r.gap.n > 0 {
		r.gap.percentiles(ps[:], at[:])
		out.Gap = Tail{P50: at[0].millis(), P95: at[1].millis(), P99: at[2].millis(), Max: millis(r.gapMax)}
	}
	return out
}

// perSecond is a rate, absent where no time passed.
func perSecond(n int64, over core.Micros) Num {
	return ratio(float64(n)*1e6, float64(over))
}
