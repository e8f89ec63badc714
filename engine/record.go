package engine

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tfsim/tfsim/core"
)

// entry is one line of a record: all that goes into a scheduler, in order, and
// what it decided.
type entry struct {
	// Of the first line.
	Config *core.Config    `json:"config,omitempty"`
	Note   json.RawMessage `json:"note,omitempty"`

	At      core.Micros   `json:"at,omitempty"`
	Submit  *core.Request `json:"submit,omitempty"`
	Cancel  core.ID       `json:"cancel,omitempty"`
	Action  *core.Action  `json:"action,omitempty"`
	Outcome *core.Outcome `json:"outcome,omitempty"`
}

// recordRoom is how many lines the writer may be behind.
const recordRoom = 1 << 14

// recorder writes a record beside the loop.
type recorder struct {
	lines chan []byte
	done  chan struct{}
	lost  bool // the loop's own
	err   error
}

var errRecord = errors.New("engine: the record is cut short: its writer was too slow")

// newRecorder starts a record with a line of its configuration and a note.
func newRecorder(w io.Writer, c core.Config, note any) (*recorder, error) {
	n, err := json.Marshal(note)
	if err != nil {
		return nil, err
	}
	c.Prices, c.Sink, c.Truth = nil, nil, nil
	r := &recorder{lines: make(chan []byte, recordRoom), done: make(chan struct{})}
	go r.write(w)
	r.add(entry{Config: &c, Note: n})
	return r, nil
}

func (r *recorder) write(w io.Writer) {
	defer close(r.done)
	b := bufio.NewWriterSize(w, 1<<16)
	for line := range r.lines {
		_, err := b.Write(line)
		if len(r.lines) == 0 && err == nil {
			err = b.Flush()
		}
		if r.err == nil {
			r.err = err
		}
	}
	if err := b.Flush(); r.err == nil {
		r.err = err
	}
}

// add never waits: a record that falls behind ends there.
func (r *recorder) add(e entry) {
	if r == nil || r.lost {
		return
	}
	line, err := json.Marshal(e)
	if err != nil {
		r.lost = true
		return
	}
	select {
	case r.lines <- append(line, '\n'):
	default:
		r.lost = true
	}
}

// close ends the record.
func (r *recorder) close() error {
	if r == nil {
		return nil
	}
	close(r.lines)
	<-r.done
	if r.lost {
		return errors.Join(errRecord, r.err)
	}
	return r.err
}

// recording is a Doer and Inputs that note what passes.
type recording struct {
	hands    *hands
	inbox    *inbox
	recorder *recorder
	// outcome waits for the inputs that are delivered before it.
	outcome *core.Outcome
}

// Do notes the decision.
func (r *recording) Do(a *core.Action, o *core.Outcome) error {
	r.recorder.add(entry{At: r.hands.clock.Now(), Action: a})
	err := r.hands.Do(a, o)
	r.outcome = o
	return err
}

// Deliver notes the outcome behind the inputs that came before it.
func (r *recording) Deliver(s *core.Scheduler, now core.Micros) error {
	err := r.inbox.Deliver(s, now)
	if r.outcome != nil {
		r.recorder.add(entry{At: now, Outcome: r.outcome})
		r.outcome = nil
	}
	return err
}

// Next is the stamp of the first input.
func (r *recording) Next() core.Micros { return r.inbox.Next() }

// Replayed is what a replay found.
type Replayed struct {
	// Note is what the recorder said of itself.
	Note json.RawMessage
	// Actions were compared; Same of them, from the first, were decided alike.
	Actions, Same int
	// Difference says how the first other decision differs; empty if none does.
	Difference string
}

// Replay feeds a record to a fresh scheduler and compares its decisions with
// those recorded. prices gives the belief from the record's note. Sink, if
// not nil, gets the events. A record that is cut short is replayed up to there.
func Replay(in io.Reader, prices func(note json.RawMessage) (core.Prices, error), sink core.Sink) (Replayed, error) {
	var x Replayed
	dec := json.NewDecoder(bufio.NewReaderSize(in, 1<<16))
	var first entry
	if err := dec.Decode(&first); err != nil || first.Config == nil {
		return x, errors.Join(errors.New("engine: no record: its first line has no configuration"), err)
	}
	x.Note = first.Note
	config := *first.Config
	var err error
	if config.Prices, err = prices(first.Note); err != nil {
		return x, err
	}
	config.Sink = sink
	s, err := core.New(config)
	if err != nil {
		return x, err
	}
	for n := 2; ; n++ {
		var e entry
		switch err := dec.Decode(&e); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return x, nil
		case err != nil:
			return x, fmt.Errorf("engine: line %d of the record: %w", n, err)
		}
		if err := x.play(s, &e); err != nil {
			return x, fmt.Errorf("engine: line %d of the record: %w", n, err)
		}
		if x.Difference != "" {
			return x, nil // what follows belongs to other decisions
		}
	}
}

// play takes one line.
func (x *Replayed) play(s *core.Scheduler, e *entry) error {
	switch {
	case e.Submit != nil:
		_ = s.Submit(e.At, *e.Submit) // refused then as now
	case e.Cancel != 0:
		s.Cancel(e.At, e.Cancel)
	case e.Action != nil:
		x.Actions++
		got, err := json.Marshal(s.Next(e.At))
		if err != nil {
			return err
		}
		want, err := json.Marshal(e.Action)
		if err != nil {
			return err
		}
		if string(got) != string(want) {
			x.Difference = fmt.Sprintf("action %d at %d µs: recorded %s, now %s", x.Actions, e.At, want, got)
			return nil
		}
		x.Same++
	case e.Outcome != nil:
		return s.Done(e.At, e.Outcome)
	}
	return nil
}
