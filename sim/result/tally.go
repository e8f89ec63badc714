package result

import "github.com/tfsim/tfsim/core"

// SLO is what a request must keep to count as goodput. A zero bound is none.
type SLO struct {
	// TTFT bounds the time from sending to the first token.
	TTFT core.Micros
	// GapP95 bounds the 95th percentile of the gaps between deliveries.
	GapP95 core.Micros
}

// met says that a finished request kept the bounds.
func (s *SLO) met(q *inflight) bool {
	switch {
	case q.tokens == 0:
		return false
	case s.TTFT > 0 && q.first-q.meta.Sent > s.TTFT:
		return false
	case s.GapP95 > 0:
		return q.limit.keeps(95)
	}
	return true
}

// tally sums over requests when they end.
type tally struct {
	statuses [len(statuses)]int
	good     int

	// Of requests with more than one token: the tokens after the first, and
	// the first and last token of any.
	decoded     int64
	first, last core.Micros

	// held is the time that lanes were held.
	held core.Micros
}

func (t *tally) add(q *inflight, at core.Micros, status Status, slo *SLO) {
	t.statuses[status.rank()]++
	if status == Done && slo != nil && slo.met(q) {
		t.good++
	}
	if q.admitted {
		t.held += at - q.admittedAt
	}
	if q.tokens < 2 {
		return
	}
	if t.decoded == 0 {
		t.first, t.last = q.first, q.last
	}
	t.decoded += int64(q.tokens - 1)
	t.first = min(t.first, q.first)
	t.last = max(t.last, q.last)
}
