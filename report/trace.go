package report

import (
	"errors"
	"io"
	"strconv"

	"github.com/tfsim/tfsim/core"
)

// traceBudget bounds a run's trace in bytes: half of it shows every round, and
// each eighth more doubles the number of rounds that become one slice.
const traceBudget = 12 << 20

// Trace writes runs in the Trace Event Format's object form, which Perfetto
// and chrome://tracing open. Each run is a process. Its threads are the device
// and the slots:
//
//   - the device has a slice for each step, pass and round, whose arguments
//     are its rows, windows and drafts, the price expected and the time taken;
//   - a slot has a slice for each request, and in it one for each prompt step,
//     round and stall;
//   - counters give the requests that wait, fill and decode, and the decode
//     time that is owed to the replies.
//
// Runs are written one after another: Open ends the one before.
type Trace struct {
	w      io.Writer
	buf    []byte
	err    error
	any    bool
	next   int // the next free process or thread number
	run    *traceRun
	budget int
}

// NewTrace writes to w, once for each event: give it a buffered writer.
func NewTrace(w io.Writer) *Trace {
	return &Trace{w: w, next: 1, budget: traceBudget}
}

// Open begins a run and gives the sink of its events. name gives a request's
// name when it is submitted; it may be nil.
func (t *Trace) Open(title string, name func(core.ID) string) core.Sink {
	t.closeRun()
	t.run = &traceRun{t: t, pid: t.next, name: name, live: make(map[core.ID]*traced), merge: 1}
	t.meta(t.run.pid, t.run.pid, "process_name", "name", title)
	t.number(t.run.pid, t.run.pid, "process_sort_index", t.run.pid)
	t.next++
	t.run.thread(-1)
	return t.run
}

// Close ends the trace. Without it the file is not whole.
func (t *Trace) Close() error {
	t.closeRun()
	head := ""
	if !t.any {
		head = `{"displayTimeUnit":"ms","traceEvents":[`
	}
	t.flush(append(t.buf[:0], head+"\n]}\n"...))
	if t.err == nil {
		t.err = errClosed
		return nil
	}
	return t.err
}

var errClosed = errors.New("report: the trace is closed")

func (t *Trace) closeRun() {
	if t.run == nil {
		return
	}
	t.run.close()
	t.run = nil
}

// begin starts an event's object.
func (t *Trace) begin(ph string, pid, tid int, name string) {
	b := t.buf[:0]
	if t.any {
		b = append(b, ',', '\n')
	} else {
		b = append(b, `{"displayTimeUnit":"ms","traceEvents":[`+"\n"...)
		t.any = true
	}
	b = append(b, `{"ph":"`+ph+`","pid":`...)
	b = strconv.AppendInt(b, int64(pid), 10)
	b = append(b, `,"tid":`...)
	b = strconv.AppendInt(b, int64(tid), 10)
	if name != "" {
		b = append(b, `,"name":`...)
		b = appendQuoted(b, name)
	}
	t.buf = b
}

func (t *Trace) field(key string, v int64) {
	t.buf = append(t.buf, `,"`+key+`":`...)
	t.buf = strconv.AppendInt(t.buf, v, 10)
}

// arg is one argument of an event; those that are zero are left out.
type arg struct {
	key string
	n   int64
	s   string
}

func (t *Trace) end(args ...arg) {
	first := true
	for _, a := range args {
		if a.n == 0 && a.s == "" {
			continue
		}
		if first {
			t.buf = append(t.buf, `,"args":{"`+a.key+`":`...)
		} else {
			t.buf = append(t.buf, `,"`+a.key+`":`...)
		}
		first = false
		if a.s != "" {
			t.buf = appendQuoted(t.buf, a.s)
		} else {
			t.buf = strconv.AppendInt(t.buf, a.n, 10)
		}
	}
	if !first {
		t.buf = append(t.buf, '}')
	}
	t.flush(append(t.buf, '}'))
}

func (t *Trace) flush(b []byte) {
	t.buf = b
	if t.err == nil {
		_, t.err = t.w.Write(b)
	}
	if t.run != nil {
		t.run.written += len(b)
	}
}

// meta names a process or a thread.
func (t *Trace) meta(pid, tid int, what, key, value string) {
	t.begin("M", pid, tid, what)
	t.buf = append(t.buf, `,"args":{"`+key+`":`...)
	t.buf = appendQuoted(t.buf, value)
	t.flush(append(t.buf, '}', '}'))
}

func (t *Trace) number(pid, tid int, what string, n int) {
	t.begin("M", pid, tid, what)
	t.buf = append(t.buf, `,"args":{"sort_index":`...)
	t.buf = strconv.AppendInt(t.buf, int64(n), 10)
	t.flush(append(t.buf, '}', '}'))
}
