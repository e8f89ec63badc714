package report

import (
	"strconv"

	"github.com/tfsim/tfsim/core"
)

// traceRun is one run's part of a trace.
type traceRun struct {
	t       *Trace
	pid     int
	name    func(core.ID) string
	live    map[core.ID]*traced
	slots   []*traced // by slot
	threads int       // named so far; slot s is thread pid+2+s
	written int
	end     core.Micros

	// merge is the number of rounds that become one slice, device and each
	// slot on its own.
	merge  int
	device work

	waiting, filling, decoding int
	shown                      [3]int
	counted                    bool
	owed                       core.Micros
}

var _ core.Sink = (*traceRun)(nil)

// traced is a request in flight.
type traced struct {
	name                       string
	slot                       int
	sent                       core.Micros
	first                      bool
	waiting, filling, decoding bool
	work                       work
}

// work is rounds that are not yet written.
type work struct {
	from, to                                            core.Micros
	rounds, passes, windows, rows, drafts, kept, tokens int64
	launches                                            int64
	price, device                                       int64 // ns, µs
}

// thread names the device's thread (-1) and those of the slots up to slot.
func (r *traceRun) thread(slot int) int {
	for ; r.threads < slot+2; r.threads++ {
		tid := r.pid + 1 + r.threads
		name := "device"
		if r.threads > 0 {
			name = "slot " + strconv.Itoa(r.threads-1)
		}
		r.t.meta(r.pid, tid, "thread_name", "name", name)
		r.t.number(r.pid, tid, "thread_sort_index", r.threads)
		r.t.next = tid + 1
	}
	for len(r.slots) < slot+1 {
		r.slots = append(r.slots, nil)
	}
	return r.pid + 2 + slot
}

// Record writes an event.
func (r *traceRun) Record(e *core.Event) {
	r.end = max(r.end, e.At)
	switch e.Kind {
	case core.EventSubmitted:
		name := strconv.FormatUint(uint64(e.ID), 10)
		if r.name != nil {
			if n := r.name(e.ID); n != "" {
				name = n
			}
		}
		r.live[e.ID] = &traced{name: name, slot: -1, sent: e.At, waiting: true}
		r.waiting++
	case core.EventAdmitted:
		r.admitted(e)
	case core.EventBegin:
		r.alone(e, "restore")
	case core.EventStep:
		r.alone(e, "prompt")
		r.stepped(e)
	case core.EventPass:
		r.passed(e)
	case core.EventRound:
		r.rounded(e)
	case core.EventTokens:
		r.delivered(e)
	case core.EventLost:
		if q := r.live[e.ID]; q != nil {
			r.settle(q)
			r.phase(q, true, false)
			r.instant(q, e.At, "lost")
		}
	case core.EventFinished, core.EventCancelled, core.EventFailed:
		r.ended(e)
	}
	r.count(e)
}

func (r *traceRun) admitted(e *core.Event) {
	q := r.live[e.ID]
	if q == nil || e.Slot < 0 {
		return
	}
	if q.waiting {
		q.waiting = false
		r.waiting--
	}
	r.phase(q, true, false)
	tid := r.thread(e.Slot)
	q.slot = e.Slot
	r.slots[e.Slot] = q
	r.t.begin("B", r.pid, tid, q.name)
	r.t.field("ts", int64(e.At))
	r.t.end(arg{key: "queued_us", n: int64(e.At - q.sent)})
}

// phase moves a request between filling and decoding.
func (r *traceRun) phase(q *traced, filling, decoding bool) {
	change := func(n *int, old *bool, now bool) {
		if *old != now {
			*old = now
			if now {
				*n++
			} else {
				*n--
			}
		}
	}
	change(&r.filling, &q.filling, filling)
	change(&r.decoding, &q.decoding, decoding)
}

// slice writes a complete event.
func (r *traceRun) slice(tid int, name string, from, to core.Micros, args ...arg) {
	r.t.begin("X", r.pid, tid, name)
	r.t.field("ts", int64(from))
	r.t.field("dur", int64(to-from))
	r.t.end(args...)
}

// alone writes a step or a begin, on the device's thread and the slot's.
func (r *traceRun) alone(e *core.Event, name string) {
	r.flushDevice()
	from := e.At - e.Wall
	r.slice(r.thread(-1), name, from, e.At,
		arg{key: "slot", s: strconv.Itoa(e.Slot)}, arg{key: "from", n: int64(e.From)}, arg{key: "rows", n: int64(e.Rows)},
		arg{key: "device_us", n: int64(e.Device)}, arg{key: "beside", s: yes(e.Beside)}, arg{key: "reason", s: e.Reason})
	if e.Slot >= 0 {
		r.slice(r.thread(e.Slot), name, from, e.At, arg{key: "from", n: int64(e.From)}, arg{key: "rows", n: int64(e.Rows)})
	}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func (r *traceRun) stepped(e *core.Event) {
	if e.Beside {
		for slot, q := range r.slots {
			if q != nil && q.decoding && slot != e.Slot {
				r.settle(q)
				r.slice(r.thread(slot), "stall", e.At-e.Wall, e.At)
			}
		}
	}
	if q := r.live[e.ID]; q != nil && e.Last && e.Reason == "" {
		r.phase(q, false, true)
	}
}

func (r *traceRun) passed(e *core.Event) {
	if r.merge == 1 {
		r.flushDevice()
		r.slice(r.thread(-1), "pass", e.At-e.Wall, e.At,
			arg{key: "asks", n: int64(e.Windows)}, arg{key: "drafts", n: int64(e.Rows)},
			arg{key: "price_us", n: int64(e.Price) / 1000}, arg{key: "device_us", n: int64(e.Device)}, arg{key: "reason", s: e.Reason})
		return
	}
	w := &r.device
	w.open(e.At - e.Wall)
	w.to = e.At
	w.passes++
	w.price += int64(e.Price)
	w.device += int64(e.Device)
}

func (w *work) open(at core.Micros) {
	if w.rounds == 0 && w.passes == 0 {
		w.from = at
	}
}

func (r *traceRun) rounded(e *core.Event) {
	w := &r.device
	w.open(e.At - e.Wall)
	w.to = e.At
	w.rounds++
	w.windows += int64(e.Windows)
	w.launches += int64(e.Launches)
	w.rows += int64(e.Rows)
	w.drafts += int64(e.Drafts)
	w.kept += int64(e.Kept)
	w.tokens += int64(e.Tokens)
	w.price += int64(e.Price)
	w.device += int64(e.Device)
	if w.rounds >= int64(r.merge) {
		r.flushDevice()
	}
}

func (r *traceRun) flushDevice() {
	w := r.device
	r.device = work{}
	if w.rounds == 0 && w.passes == 0 {
		return
	}
	args := []arg{
		{key: "windows", n: w.windows}, {key: "launches", n: w.launches}, {key: "rows", n: w.rows},
		{key: "drafts", n: w.drafts}, {key: "kept", n: w.kept}, {key: "tokens", n: w.tokens},
		{key: "price_us", n: w.price / 1000}, {key: "device_us", n: w.device},
	}
	name := "round"
	if w.rounds != 1 || w.passes > 0 {
		name = "rounds"
		args = append(args, arg{key: "rounds", n: w.rounds}, arg{key: "passes", n: w.passes})
	}
	r.slice(r.thread(-1), name, w.from, w.to, args...)
	// Half of the budget is spent in full detail; then each further eighth
	// of it halves the detail.
	for r.merge < mostMerged && r.written > r.t.budget/2+r.t.budget/8*log2(r.merge) {
		r.merge *= 2
	}
}

// mostMerged is the number of rounds in a slice at the least detail.
const mostMerged = 1 << 16

// log2 of a power of two.
func log2(n int) int {
	k := 0
	for ; n > 1; n /= 2 {
		k++
	}
	return k
}

func (r *traceRun) delivered(e *core.Event) {
	q := r.live[e.ID]
	if q == nil || q.slot < 0 {
		return
	}
	r.phase(q, false, true)
	if !q.first && e.Tokens > 0 {
		q.first = true
		r.instant(q, e.At, "first token")
	}
	if e.Wall <= 0 {
		return
	}
	w := &q.work
	w.open(e.At - e.Wall)
	w.to = e.At
	w.rounds++
	w.drafts += int64(e.Drafts)
	w.kept += int64(e.Kept)
	w.tokens += int64(e.Tokens)
	if w.rounds >= int64(r.merge) {
		r.settle(q)
	}
}

// settle writes a request's rounds that are not yet written.
func (r *traceRun) settle(q *traced) {
	w := q.work
	q.work = work{}
	if w.rounds == 0 {
		return
	}
	name := "round"
	args := []arg{{key: "tokens", n: w.tokens}, {key: "drafts", n: w.drafts}, {key: "kept", n: w.kept}}
	if w.rounds > 1 {
		name = "rounds"
		args = append(args, arg{key: "rounds", n: w.rounds})
	}
	r.slice(r.thread(q.slot), name, w.from, w.to, args...)
}

func (r *traceRun) instant(q *traced, at core.Micros, name string) {
	if q.slot < 0 {
		return
	}
	r.t.begin("i", r.pid, r.thread(q.slot), name)
	r.t.field("ts", int64(at))
	r.t.buf = append(r.t.buf, `,"s":"t"`...)
	r.t.end()
}

func (r *traceRun) ended(e *core.Event) {
	q := r.live[e.ID]
	if q == nil {
		return
	}
	delete(r.live, e.ID)
	if q.waiting {
		r.waiting--
	}
	r.phase(q, false, false)
	r.leave(q, e.At, int64(e.Total), e.Kind.String())
}

// leave ends a request's slice.
func (r *traceRun) leave(q *traced, at core.Micros, total int64, how string) {
	if q.slot < 0 {
		return
	}
	r.settle(q)
	r.slots[q.slot] = nil
	r.t.begin("E", r.pid, r.thread(q.slot), "")
	r.t.field("ts", int64(at))
	r.t.end(arg{key: "ended", s: how}, arg{key: "tokens", n: total})
}

// mostOwed keeps the counter's scale readable where steps owe without end.
const mostOwed core.Micros = 3_600_000_000

// count writes the counters that changed.
func (r *traceRun) count(e *core.Event) {
	if now := [3]int{r.waiting, r.filling, r.decoding}; !r.counted || now != r.shown {
		r.counted, r.shown = true, now
		r.counter(e.At, "requests", "waiting", int64(r.waiting), "filling", int64(r.filling), "decoding", int64(r.decoding))
	}
	switch e.Kind {
	case core.EventStep, core.EventRound, core.EventPass:
		// At a coarser level the counter follows the steps alone.
		owed := min(e.Owed, mostOwed)
		if owed != r.owed && (r.merge == 1 || e.Kind == core.EventStep || owed == 0) {
			r.owed = owed
			r.counter(e.At, "owed to replies", "us", int64(owed))
		}
	}
}

func (r *traceRun) counter(at core.Micros, name string, series ...any) {
	t := r.t
	t.begin("C", r.pid, r.thread(-1), name)
	t.field("ts", int64(at))
	t.buf = append(t.buf, `,"args":{`...)
	for i := 0; i < len(series); i += 2 {
		if i > 0 {
			t.buf = append(t.buf, ',')
		}
		t.buf = append(t.buf, `"`+series[i].(string)+`":`...)
		t.buf = strconv.AppendInt(t.buf, series[i+1].(int64), 10)
	}
	t.flush(append(t.buf, '}', '}'))
}

// close ends what is open.
func (r *traceRun) close() {
	r.flushDevice()
	for _, q := range r.slots {
		if q != nil {
			r.leave(q, r.end, 0, "unfinished")
		}
	}
}
