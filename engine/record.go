package engine

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tfsim/tfsim/core"
)

// Entry is one line of a record: all that goes into a scheduler, in order, and
// what it decided. The first has the configuration and the note; of the rest,
// each has its time and one other field.
type Entry struct {
	// Of the first line.
	Config *core.Config    `json:"config,omitempty"`
	Note   json.RawMessage `json:"note,omitempty"`

	At      core.Micros   `json:"at,omitempty"`
	Submit  *core.Request `json:"submit,omitempty"`
	Cancel  core.ID       `json:"cancel,omitempty"`
	Action  *core.Action  `json:"action,omitempty"`
	Outcome *core.Outcome `json:"outcome,omitempty"`
	Change  *core.Config  `json:"change,omitempty"` // as Config, from here on
	End     bool          `json:"end,omitempty"`    // of the last line of a whole record
}

// recordRoom is how many entries the writer may be behind.
const recordRoom = 1 << 14

// recorder writes a record beside the loop, which only copies what is the
// scheduler's: to encode it takes as long as to decide it.
type recorder struct {
	entries chan Entry
	done    chan struct{}
	lost    bool // the loop's own
	err     error
}

var errRecord = errors.New("engine: the record is cut short: its writer was too slow")

// newRecorder starts a record with a line of its configuration and a note. When
// it cannot be written on, that is told, once.
func newRecorder(w io.Writer, c core.Config, note any, tell func(string)) (*recorder, error) {
	n, err := json.Marshal(note)
	if err != nil {
		return nil, err
	}
	r := &recorder{entries: make(chan Entry, recordRoom), done: make(chan struct{})}
	go r.write(w, tell)
	r.add(Entry{Config: noted(c), Note: n})
	return r, nil
}

// noted is the part of a configuration that can be written down.
func noted(c core.Config) *core.Config {
	c.Prices, c.Sink, c.Truth = nil, nil, nil
	return &c
}

func (r *recorder) write(w io.Writer, tell func(string)) {
	defer close(r.done)
	b := bufio.NewWriterSize(w, 1<<16)
	failed := func(err error) {
		if err != nil && r.err == nil {
			r.err = fmt.Errorf("engine: the record is cut short: %w", err)
			tell("the record is cut short: " + err.Error())
		}
	}
	lines := json.NewEncoder(b)
	for e := range r.entries {
		if r.err != nil {
			continue // a record has no holes
		}
		err := lines.Encode(e)
		if len(r.entries) == 0 && err == nil {
			err = b.Flush()
		}
		failed(err)
	}
	failed(b.Flush())
}

// add never waits: a record that falls behind ends there. What the entry points
// to is the recorder's.
func (r *recorder) add(e Entry) {
	if r == nil || r.lost {
		return
	}
	select {
	case r.entries <- e:
	default:
		r.lost = true
	}
}

// close ends the record, with a mark if it is whole.
func (r *recorder) close(at core.Micros) error {
	if r == nil {
		return nil
	}
	if !r.lost {
		r.entries <- Entry{At: at, End: true}
	}
	close(r.entries)
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
	r.recorder.add(Entry{At: r.hands.clock.Now(), Action: ownAction(a)})
	err := r.hands.Do(a, o)
	r.outcome = o
	return err
}

// Deliver notes the outcome behind the inputs that came before it.
func (r *recording) Deliver(s *core.Scheduler, now core.Micros) error {
	err := r.inbox.Deliver(s, now)
	if r.outcome != nil {
		r.recorder.add(Entry{At: now, Outcome: ownOutcome(r.outcome)})
		r.outcome = nil
	}
	return err
}

// ownAction and ownOutcome copy what the next decision overwrites.
func ownAction(a *core.Action) *core.Action {
	own := *a
	own.Asks, own.Windows = slices.Clone(a.Asks), slices.Clone(a.Windows)
	own.Launches, own.Release = slices.Clone(a.Launches), slices.Clone(a.Release)
	return &own
}

func ownOutcome(o *core.Outcome) *core.Outcome {
	own := *o
	own.Slots, own.Confidences = slices.Clone(o.Slots), slices.Clone(o.Confidences)
	return &own
}

// Next is the stamp of the first input.
func (r *recording) Next() core.Micros { return r.inbox.Next() }
