package result

import (
	"strconv"

	"github.com/tfsim/tfsim/core"
)

// Options of a recorder.
type Options struct {
	// PerRequest keeps a result for each request. Without it memory is
	// bounded by the requests in flight.
	PerRequest bool
	// Workload says that requests arrive by a process, so that the run may be
	// saturated: with at least 16 arrivals, the mean number waiting at the
	// arrivals of the last quarter is at least Lanes and over twice that of
	// the second quarter; or at the end more than Lanes still wait.
	Workload bool
	// Lanes is the number of requests admitted at once, 0 if unknown.
	Lanes int
	// SLO, if given, makes goodput a figure.
	SLO *SLO
}

// Recorder is a sink that keeps the figures of one run. It allocates nothing
// for an event in steady state.
type Recorder struct {
	opts Options
	// limitGaps says that each request holds its gaps against the SLO.
	limitGaps bool

	live  map[core.ID]*inflight
	slots []*inflight // the request in each slot, where known
	free  []*inflight // records for reuse
	ended []Request   // by the order of Expect, if per request

	declared         bool
	firstSent        core.Micros
	waiting, filling int
	backlog          backlog

	rounds, passes, steps int64
	drafted, accepted     int64
	stepRows              int64
	stepWall, device      core.Micros
	// besideSteps is the wall time of steps beside a decoding reply,
	// besideRounds that of rounds and passes while a prompt was filling.
	besideSteps, besideRounds core.Micros

	tally     tally
	steady    steady
	ttft, gap dist
	gapMax    core.Micros
}

var _ core.Sink = (*Recorder)(nil)

// NewRecorder is a recorder of one run.
func NewRecorder(o Options) *Recorder {
	return &Recorder{
		opts:      o,
		limitGaps: o.SLO != nil && o.SLO.GapP95 > 0,
		live:      make(map[core.ID]*inflight),
	}
}

// Expect declares a request before it is submitted; its id must not be in
// flight. An undeclared one is declared by its submission: named by its
// number, sent at that time.
func (r *Recorder) Expect(id core.ID, m Meta) { r.declare(id, m) }

func (r *Recorder) declare(id core.ID, m Meta) *inflight {
	q := r.record()
	q.id, q.meta = id, m
	if r.limitGaps {
		q.limit = newLimit(r.opts.SLO.GapP95)
	}
	if r.opts.PerRequest {
		q.index = len(r.ended)
		r.ended = append(r.ended, Request{})
	}
	if !r.declared || m.Sent < r.firstSent {
		r.declared, r.firstSent = true, m.Sent
	}
	r.live[id] = q
	return q
}

// record is a cleared one.
func (r *Recorder) record() *inflight {
	n := len(r.free)
	if n == 0 {
		return &inflight{slot: -1}
	}
	q := r.free[n-1]
	r.free = r.free[:n-1]
	*q = inflight{slot: -1, gaps: q.gaps[:0]}
	return q
}

// Record takes the next event.
func (r *Recorder) Record(e *core.Event) {
	switch e.Kind {
	case core.EventTokens:
		r.delivered(e)
	case core.EventRound:
		r.rounds++
		r.decoded(e)
		r.steady.decoded(e)
	case core.EventPass:
		r.passes++
		r.decoded(e)
		r.steady.passed(e)
	case core.EventStep:
		r.stepped(e)
	case core.EventBegin:
		r.began(e)
	case core.EventSubmitted:
		r.submitted(e)
	case core.EventAdmitted:
		r.admitted(e)
	case core.EventFinished:
		r.end(e, Done)
	case core.EventCancelled:
		r.end(e, Cancelled)
	case core.EventFailed:
		r.end(e, Failed)
	case core.EventLost:
		if q := r.find(e); q != nil {
			r.fill(q, true)
		}
	}
}

// find is the request of an event, nil if it is not in flight.
func (r *Recorder) find(e *core.Event) *inflight {
	if uint(e.Slot) < uint(len(r.slots)) {
		if q := r.slots[e.Slot]; q != nil && q.id == e.ID {
			return q
		}
	}
	return r.live[e.ID]
}

func (r *Recorder) fill(q *inflight, filling bool) {
	if q.filling == filling {
		return
	}
	q.filling = filling
	if filling {
		r.filling++
	} else {
		r.filling--
	}
}

func (r *Recorder) submitted(e *core.Event) {
	r.backlog.arrive(r.waiting)
	q := r.find(e)
	if q == nil {
		name := strconv.FormatUint(uint64(e.ID), 10)
		q = r.declare(e.ID, Meta{Name: name, Sent: e.At, Prompt: e.Rows, Output: e.Tokens})
	}
	q.submittedAt = e.At
	q.waiting = true
	r.waiting++
}

func (r *Recorder) admitted(e *core.Event) {
	q := r.find(e)
	if q == nil {
		return
	}
	if q.waiting {
		q.waiting = false
		r.waiting--
	}
	q.admitted, q.admittedAt = true, e.At
	r.fill(q, true)
	if e.Slot < 0 {
		return
	}
	for len(r.slots) <= e.Slot {
		r.slots = append(r.slots, nil)
	}
	q.slot = e.Slot
	r.slots[e.Slot] = q
}

func (r *Recorder) began(e *core.Event) {
	r.device += e.Device
	if q := r.find(e); q != nil && !q.began {
		// A begin after a loss restores again what counts already.
		q.began, q.cached = true, e.Rows
	}
}

func (r *Recorder) stepped(e *core.Event) {
	r.steps++
	r.stepRows += int64(e.Rows)
	r.stepWall += e.Wall
	r.device += e.Device
	if e.Beside {
		r.besideSteps += e.Wall
	}
	if q := r.find(e); q != nil {
		r.fill(q, !e.Last)
	}
}

// decoded takes a round or a pass.
func (r *Recorder) decoded(e *core.Event) {
	r.device += e.Device
	if r.filling > 0 {
		r.besideRounds += e.Wall
	}
}

func (r *Recorder) delivered(e *core.Event) {
	q := r.find(e)
	if q == nil {
		return
	}
	q.drafted += e.Drafts
	q.accepted += e.Kept
	r.drafted += int64(e.Drafts)
	r.accepted += int64(e.Kept)
	if e.Tokens <= 0 {
		return
	}
	if q.tokens == 0 {
		q.first = e.At
		r.ttft.add(e.At - q.meta.Sent)
		r.fill(q, false)
	} else {
		q.rounds++
		gap := e.At - q.last
		r.gap.add(gap)
		r.gapMax = max(r.gapMax, gap)
		if r.opts.PerRequest {
			q.gaps = append(q.gaps, gap)
		}
		if r.limitGaps {
			q.limit.add(gap)
		}
	}
	q.last = e.At
	q.tokens += e.Tokens
}
