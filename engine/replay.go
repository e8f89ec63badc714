package engine

import (
	"encoding/json"
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
	to, err := ReadRecord(in, begin, func(e *Entry) error {
		if err := x.play(s, &config, e); err != nil {
			return err
		}
		if x.Difference != "" {
			return errEnough // what follows belongs to other decisions
		}
		return nil
	})
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
