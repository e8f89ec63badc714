package result

import "github.com/tfsim/tfsim/core"

// Meta is what a caller knows of a request before it is submitted.
type Meta struct {
	// Name is the request's id in the results.
	Name string
	// Sent is the time of its sending, from which its times count.
	Sent core.Micros
	// Prompt and Output are its tokens, as asked.
	Prompt, Output int
}

// inflight is a request that has not ended. Records are reused.
type inflight struct {
	id    core.ID
	meta  Meta
	index int // its place in the results

	waiting, admitted, filling, began bool

	submittedAt, admittedAt core.Micros
	slot                    int
	cached                  int

	// Of the deliveries so far: tokens and the times of the first and last.
	tokens      int
	first, last core.Micros
	// gaps between them, if they are kept; limit, if they have a bound.
	gaps  []core.Micros
	limit limit

	rounds, drafted, accepted int
}

// request is the record as a result. Its gaps must be sorted.
func (q *inflight) request(status Status) Request {
	r := Request{
		ID:           q.meta.Name,
		Status:       status,
		PromptTokens: Count(q.meta.Prompt),
		OutputTokens: Count(q.tokens),
		CachedTokens: Count(q.cached),
		Rounds:       Count(q.rounds),
		Drafted:      Count(q.drafted),
		Accepted:     Count(q.accepted),
	}
	if q.admitted {
		r.Queue = seconds(q.admittedAt - q.submittedAt)
	}
	if q.tokens > 0 {
		r.TTFT = seconds(q.first - q.meta.Sent)
		if status == Done {
			r.Done = seconds(q.last - q.meta.Sent)
		}
	}
	if n := len(q.gaps); n > 0 {
		r.GapP50 = percentile(q.gaps, 50).millis()
		r.GapP95 = percentile(q.gaps, 95).millis()
		r.GapP99 = percentile(q.gaps, 99).millis()
		r.GapMax = millis(q.gaps[n-1])
	}
	return r
}
