package workload

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/random"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/trace"
)

// Traced sends the requests of a trace. It reads them as they are sent, so
// that memory does not grow with the file.
type Traced struct {
	file  *trace.Trace
	spec  *scenario.Trace
	kinds *maker
	// times are those of a trace without its own.
	times  process
	sample random.Stream

	// row counts the requests of the file, sent those that were sent.
	row  uint64
	sent int
	// base is the time of the file's first request, at that of next from there.
	base, at core.Micros
	// due is when next is sent.
	next trace.Request
	due  core.Micros
	err  error
}

var _ Source = (*Traced)(nil)

// openTrace opens a workload's trace up to its first request.
func openTrace(f *scenario.File, w *scenario.Workload, seed uint64) (*Traced, error) {
	spec := w.Trace
	file, err := trace.Open(spec.Path, trace.Options{Format: spec.Format, BytesPerToken: spec.BytesPerToken})
	if e := (*trace.Error)(nil); err != nil && !errors.As(err, &e) {
		err = fmt.Errorf("%sthe trace cannot be read (%w)", where(f, spec.PathPos), err)
	}
	if err != nil {
		return nil, err
	}
	t := &Traced{
		file: file, spec: spec, kinds: newKinds(w.Mix, seed),
		times: newProcess(&w.Arrivals, seed), sample: random.New(seed, "sample"),
	}
	switch timed := file.Format.Timed(); {
	case timed && t.times != nil:
		err = fmt.Errorf("%s%s has times of its own (%s); leave out arrivals (--rate), speed scales those", where(f, w.Arrivals.Pos), spec.Path, file.Format)
	case !timed && t.times == nil:
		err = fmt.Errorf("%s%s has no times (%s); give arrivals a process and a rate (--rate)", where(f, spec.PathPos), spec.Path, file.Format)
	default:
		t.advance()
		err = t.err
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return t, nil
}

// where starts an error with a place of the file, if it is there.
func where(f *scenario.File, at scenario.Pos) string {
	if at.Line == 0 {
		return ""
	}
	return f.At(at.Line, at.Col) + ": "
}

// advance finds the next request that is played.
func (t *Traced) advance() {
	t.due = core.Never
	for t.spec.Limit == 0 || t.sent < t.spec.Limit {
		t.next = trace.Request{}
		switch err := t.file.Next(&t.next); {
		case errors.Is(err, io.EOF):
			t.end()
			return
		case err != nil:
			t.err = err
			return
		}
		at := t.next.At
		if t.times != nil {
			at = t.times.next()
		} else if t.row == 0 {
			t.base = at
		}
		t.row++
		at -= t.base
		if at >= t.spec.To {
			break
		}
		t.at = at
		if at < t.spec.From || t.spec.Sample < 1 && t.sample.Uniform(t.row) >= t.spec.Sample {
			continue
		}
		t.due = scaled(at-t.spec.From, t.spec.Speed)
		return
	}
	t.end()
}

// end closes the file; that nothing of it was played is an error.
func (t *Traced) end() {
	_ = t.file.Close()
	if t.sent == 0 && t.err == nil {
		t.err = fmt.Errorf("%s: no request is played of %d read%s; from, to and sample choose them",
			t.spec.Path, t.row, strings.Join(append([]string{""}, t.Notes()...), "; "))
	}
}

// scaled is a time at a speed, at most one that no run gets to.
func scaled(at core.Micros, speed float64) core.Micros {
	if speed == 1 {
		return at
	}
	return core.Micros(min(float64(at)/speed, 1<<61))
}

// Peek is when the next request is sent.
func (t *Traced) Peek() core.Micros { return t.due }

// Next takes it.
func (t *Traced) Next() Arrival {
	if t.due == core.Never {
		panic("workload: Next without a due arrival")
	}
	r := &t.next
	a := t.kinds.plain(t.row)
	a.At, a.Index = t.due, t.sent
	t.sent++
	a.ID = "r" + strconv.Itoa(t.sent)
	a.Prompt, a.Output = r.Prompt, r.Output
	a.traits(&t.kinds.mix[t.kinds.kind(t.row)].Traits)
	a.Background, a.NoDraft = a.Background || r.Background, a.NoDraft || r.NoDraft
	if r.CancelAt != core.Never {
		// Who waits is as patient at any speed.
		a.CancelAt = a.At + max(r.CancelAt-r.At, 1)
	}
	if len(r.Blocks) > 0 {
		blocks := random.New(0, "block")
		for i, b := range r.Blocks {
			r.Blocks[i] = max(1, uint64(blocks.Sub(b)))
		}
		a.Blocks = r.Blocks
	}
	t.advance()
	return a
}

// Finished does nothing: a trace comes whatever becomes of its requests.
func (t *Traced) Finished(int, core.Micros) {}

// Err is what ended the reading before the end of the trace; nothing is due
// after it.
func (t *Traced) Err() error { return t.err }

// Notes tell what of the trace was not played, so far.
func (t *Traced) Notes() []string { return t.file.Notes() }

// Part is how much of the trace was played, 0 to 1.
func (t *Traced) Part() float64 {
	part := t.file.Part()
	if n := t.spec.Limit; n > 0 {
		part = max(part, float64(t.sent)/float64(n))
	}
	if t.spec.To != core.Never {
		part = max(part, float64(t.at-t.spec.From)/float64(t.spec.To-t.spec.From))
	}
	return part
}

// Close ends the reading. It may be called more than once.
func (t *Traced) Close() { _ = t.file.Close() }
