package engine

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tfsim/tfsim/core"
)

// Replayed is what a replay found.
type Replayed struct {
	// Note is what the recorder said of itself.
	Note json.RawMessage
	// Actions were compared; Same of them, from the first, were decided alike.
	Actions, Same int
	// Difference says how the first other decision differs; empty if none does.
	Difference string
	Reach      Reach
}

// Reach is how far a record goes: to its end, if it is whole.
type Reach struct {
	Whole bool
	Lines int
	At    core.Micros
}

// ReadRecord visits the entries of a record after its first, which it returns,
// and says how far it goes. Errors name the line.
func ReadRecord(in io.Reader, visit func(first, e *Entry) error) (*Entry, Reach, error) {
	dec := json.NewDecoder(bufio.NewReaderSize(in, 1<<16))
	var first Entry
	err := dec.Decode(&first)
	switch {
	case errors.Is(err, io.EOF):
		return nil, Reach{}, errors.New("no record: it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, Reach{}, errors.New("the record is cut short within its first line")
	case err != nil || first.Config == nil:
		return nil, Reach{}, errors.Join(errors.New("no record: its first line has no configuration"), err)
	}
	to := Reach{Lines: 1}
	for {
		var e Entry
		err := dec.Decode(&e)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			to.Whole = to.Whole && errors.Is(err, io.EOF)
			return &first, to, nil
		}
		if err == nil {
			if to.Whole = e.End; !e.End {
				err = visit(&first, &e)
			}
		}
		if errors.Is(err, errEnough) {
			return &first, to, nil
		}
		var other *json.UnmarshalTypeError
		if errors.As(err, &other) {
			err = fmt.Errorf("%s is of type %s", other.Field, other.Value)
		}
		if err != nil {
			return nil, to, fmt.Errorf("line %d of the record: %w", to.Lines+1, err)
		}
		to.Lines, to.At = to.Lines+1, e.At
	}
}

// errEnough ends the reading of a record.
var errEnough = errors.New("enough")

// Replay feeds a record to a fresh scheduler and compares its decisions with
// those recorded. prices gives the belief from the record's note. Sink, if
// not nil, gets the events. A record that is cut short is replayed up to there.
func Replay(in io.Reader, prices func(note json.RawMessage) (core.Prices, error), sink core.Sink) (Replayed, error) {
	var x Replayed
	var config core.Config
	var s *core.Scheduler
	begin := func(first *Entry) (err error) {
		x.Note, config = first.Note, *first.Config
		if config.Prices, err = prices(first.Note); err != nil {
			return err
		}
		config.Sink = sink
		s, err = core.New(config)
		return err
	}
	first, to, err := ReadRecord(in, func(first, e *Entry) error {
		if s == nil {
			if err := begin(first); err != nil {
				return err
			}
		}
		if err := x.play(s, &config, e); err != nil {
			return err
		}
		if x.Difference != "" {
			return errEnough // what follows belongs to other decisions
		}
		return nil
	})
	if err == nil && s == nil {
		err = begin(first)
	}
	x.Reach = to
	return x, err
}

// play takes one line.
func (x *Replayed) play(s *core.Scheduler, first *core.Config, e *Entry) error {
	switch {
	case e.Submit != nil:
		_ = s.Submit(e.At, *e.Submit) // refused then as now
	case e.Cancel != 0:
		s.Cancel(e.At, e.Cancel)
	case e.Action != nil:
		x.Actions++
		if d := difference(e.Action, s.Next(e.At)); d != "" {
			x.Difference = fmt.Sprintf("action %d at %d µs%s", x.Actions, e.At, d)
			return nil
		}
		x.Same++
	case e.Outcome != nil:
		return s.Done(e.At, e.Outcome)
	case e.Change != nil:
		c := *e.Change
		c.Prices, c.Sink = first.Prices, first.Sink
		return s.Reconfigure(c)
	}
	return nil
}
