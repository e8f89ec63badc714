package report

import (
	"strconv"

	"github.com/tfsim/tfsim/core"
)

const (
	// mostSpans is the number of spans up to which a run keeps them as they
	// are, mostColumns the number of columns that it is cut into besides.
	mostSpans   = 12_000
	mostColumns = 2048
	// firstWidth is the width of a column until a run needs wider ones.
	firstWidth core.Micros = 256
	// mostBands is the number of requests whose stay in a slot is kept.
	mostBands = 400
)

// Run keeps what is drawn of one run. It is a sink of its events.
type Run struct {
	Place Place
	name  func(core.ID) string

	// begin and end are the times of the first and last event.
	begin, end core.Micros
	begun      bool

	live  map[core.ID]*stay
	slots []*stay // by slot
	bands []band
	lost  int // bands that were not kept

	// lanes are the device's and then one for each slot seen.
	lanes []*lane
	width core.Micros // of a column
	// kept is the number of spans kept; those that end after whole are not
	// all there, unless it is core.Never.
	kept  int
	whole core.Micros

	gaps, ttft spread
	used       [marks]core.Micros // of the device's time
	stalled    core.Micros        // of all slots
	rounds     int64
	tokens     int64
	// besides is the stretch from the first to the last prompt step that ran
	// beside a reply.
	beside         bool
	besides        span
	passing        core.Micros // of passes since the last round
	streams        []stream
	queue, waiting int // most that waited, and now
}

var _ core.Sink = (*Run)(nil)

// stay is a request in flight.
type stay struct {
	name                        string
	slot                        int
	sent, admitted, first, last core.Micros
	tokens                      int
	decoding, waits             bool
}

// band is a request's stay in a slot.
type band struct {
	lane        int
	name, ended string
	from, to    core.Micros
	sent, first core.Micros
	tokens      int
	decodes     bool
}

// stream is what rounds of so many streams gave, and how long they took with
// their passes.
type stream struct {
	tokens, rounds int64
	wall           core.Micros
}

// NewRun keeps a run. name gives a request's name when it is submitted; it may
// be nil.
func NewRun(p Place, name func(core.ID) string) *Run {
	return &Run{Place: p, name: name, live: make(map[core.ID]*stay), lanes: []*lane{{}}, width: firstWidth, whole: core.Never}
}

// Record takes the next event.
func (r *Run) Record(e *core.Event) {
	if !r.begun {
		r.begun, r.begin, r.end = true, e.At-e.Wall, e.At
	}
	r.end = max(r.end, e.At)
	switch e.Kind {
	case core.EventSubmitted:
		r.live[e.ID] = &stay{name: r.nameOf(e.ID), slot: -1, sent: e.At, waits: true}
		r.waiting++
		r.queue = max(r.queue, r.waiting)
	case core.EventAdmitted:
		r.admitted(e)
	case core.EventBegin:
		r.work(e, markRestore, e.Slot)
	case core.EventStep:
		r.stepped(e)
	case core.EventPass:
		r.work(e, markPass, -1)
		r.passing += e.Wall
	case core.EventRound:
		r.rounded(e)
	case core.EventTokens:
		r.delivered(e)
	case core.EventLost:
		if q := r.live[e.ID]; q != nil {
			q.decoding = false
		}
	case core.EventFinished, core.EventCancelled, core.EventFailed:
		r.ended(e)
	}
}

func (r *Run) nameOf(id core.ID) string {
	if r.name != nil {
		if n := r.name(id); n != "" {
			return n
		}
	}
	return strconv.FormatUint(uint64(id), 10)
}

func (r *Run) admitted(e *core.Event) {
	q := r.live[e.ID]
	if q == nil {
		return
	}
	if q.waits {
		q.waits = false
		r.waiting--
	}
	if e.Slot < 0 {
		return
	}
	q.slot, q.admitted = e.Slot, e.At
	r.laneOf(e.Slot)
	r.slots[e.Slot] = q
}

// laneOf is a slot's lane, or the device's for -1.
func (r *Run) laneOf(slot int) *lane {
	for len(r.lanes) < slot+2 {
		r.lanes = append(r.lanes, &lane{})
	}
	for len(r.slots) < slot+1 {
		r.slots = append(r.slots, nil)
	}
	return r.lanes[slot+1]
}

// work draws an action on the device's lane and, if given, on a slot's.
func (r *Run) work(e *core.Event, m mark, slot int) {
	s := span{e.At - e.Wall, e.At, m}
	r.draw(-1, s)
	r.used[m] += e.Wall
	if slot >= 0 {
		r.draw(slot, s)
	}
}

// draw adds a span to a lane.
func (r *Run) draw(slot int, s span) {
	l := r.laneOf(slot)
	if s.to <= s.from {
		return
	}
	if r.kept < mostSpans {
		l.spans = append(l.spans, s)
		r.kept++
	} else {
		r.whole = min(r.whole, s.from)
	}
	for s.to-r.begin > r.width*mostColumns {
		for _, l := range r.lanes {
			fold(l.cells)
		}
		r.width *= 2
	}
	if l.cells == nil {
		l.cells = make([]cell, mostColumns)
	}
	c := columns{origin: r.begin, width: r.width, cells: l.cells}
	c.add(s)
}

func (r *Run) stepped(e *core.Event) {
	r.work(e, markPrompt, e.Slot)
	if e.Beside {
		s := span{e.At - e.Wall, e.At, markStall}
		for slot, q := range r.slots {
			if q != nil && q.decoding && slot != e.Slot {
				r.draw(slot, s)
				r.stalled += e.Wall
			}
		}
		if !r.beside {
			r.beside, r.besides.from = true, s.from
		}
		r.besides.to = s.to
	}
	if q := r.live[e.ID]; q != nil && e.Last && e.Reason == "" {
		q.decoding = true
	}
}

func (r *Run) rounded(e *core.Event) {
	r.work(e, markRound, -1)
	for len(r.streams) <= e.Windows {
		r.streams = append(r.streams, stream{})
	}
	s := &r.streams[e.Windows]
	s.rounds++
	s.tokens += int64(e.Tokens)
	s.wall += e.Wall + r.passing
	r.passing = 0
	r.rounds++
}

func (r *Run) delivered(e *core.Event) {
	q := r.live[e.ID]
	if q == nil {
		return
	}
	if e.Wall > 0 && e.Slot >= 0 {
		r.draw(e.Slot, span{e.At - e.Wall, e.At, markRound})
	}
	if e.Tokens <= 0 {
		return
	}
	if q.tokens == 0 {
		q.first = e.At
		r.ttft.add(e.At - q.sent)
	} else {
		r.gaps.add(e.At - q.last)
	}
	q.last = e.At
	q.tokens += e.Tokens
	q.decoding = true
	r.tokens += int64(e.Tokens)
}

func (r *Run) ended(e *core.Event) {
	q := r.live[e.ID]
	if q == nil {
		return
	}
	delete(r.live, e.ID)
	if q.waits {
		r.waiting--
	}
	if q.slot < 0 {
		return
	}
	r.slots[q.slot] = nil
	if len(r.bands) == mostBands {
		r.lost++
		return
	}
	r.bands = append(r.bands, q.band(e.At, e.Kind.String()))
}

func (q *stay) band(to core.Micros, ended string) band {
	return band{
		lane: q.slot + 1, name: q.name, ended: ended, from: q.admitted, to: to,
		sent: q.sent, first: q.first, tokens: q.tokens, decodes: q.tokens > 0,
	}
}

// stays are the bands, those of requests in flight included.
func (r *Run) stays() []band {
	out := r.bands[:len(r.bands):len(r.bands)]
	for _, q := range r.slots {
		if q != nil && len(out) < mostBands {
			out = append(out, q.band(r.end, "unfinished"))
		}
	}
	return out
}

// cut gives the columns of a lane over a window, from its spans where they are
// all there, else of the run's own columns; they are n, about.
func (r *Run) cut(l *lane, window span, n int) columns {
	if window.to <= r.whole {
		width := max((window.to-window.from+core.Micros(n)-1)/core.Micros(n), 1)
		c := columns{origin: window.from, width: width, cells: make([]cell, n)}
		for _, s := range l.spans {
			c.add(s)
		}
		return c
	}
	used := int((r.end-r.begin)/r.width) + 1
	each := max(min(used, len(l.cells))/n, 1)
	c := columns{origin: r.begin, width: r.width * core.Micros(each), cells: make([]cell, (len(l.cells)+each-1)/each)}
	for i := range l.cells {
		for m, t := range l.cells[i] {
			c.cells[i/each][m] += t
		}
	}
	return c
}
