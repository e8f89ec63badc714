package sim

import (
	"errors"
	"fmt"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/engine"
)

// Source gives a run's requests in the order of their arrival.
type Source interface {
	// Peek is when the next request arrives, or core.Never if none is known.
	Peek() core.Micros
	// Next fills in the next request; it is called only when Peek is due.
	// Its error ends the run.
	Next(*Request) error
	// Ended says that a request is over; a closed loop sends its user's next.
	Ended(id core.ID, at core.Micros)
}

// Run is one simulation.
type Run struct {
	Table  *costmodel.Table
	World  World
	Config core.Config
	// CacheGiB is the budget of kept prompt states.
	CacheGiB float64
	Source   Source
	// Change, if not nil, is another configuration for the rest of the run.
	Change *Change
}

// Report is what a run says of itself.
type Report struct {
	// End is the virtual time at its end.
	End core.Micros
	// Worst is the least trustworthy grade of any price charged.
	Worst costmodel.Grade
	// Refused counts requests that the scheduler did not take, TooLong those of
	// them that are longer than the context.
	Refused, TooLong int
}

// Do plays the run to its end. Config.Sink gets its events; a request that is
// refused fails with reason "refused".
func (r Run) Do() (Report, error) {
	in := &inputs{source: r.Source, sink: r.Config.Sink, requests: make(map[core.ID]*Request)}
	r.Config.Sink = in
	d := NewDevice(r.Table, r.World, max(r.Config.Lanes, 1), r.CacheGiB, in.find)
	in.device = d
	if r.Config.Rule == core.RuleOracle {
		r.Config.Truth = d
	}
	if r.Change != nil {
		c := *r.Change
		c.Config.Sink = in
		if c.Config.Rule == core.RuleOracle {
			c.Config.Truth = d
		}
		in.change = &c
	}
	s, err := core.New(r.Config)
	if err != nil {
		return Report{}, err
	}
	err = engine.Run(s, in, d, in)
	return Report{End: d.now, Worst: d.Worst(), Refused: in.refused, TooLong: in.tooLong}, err
}

// inputs are the arrivals and cancels of a run. It listens to the events to
// know when a request is over.
type inputs struct {
	source   Source
	sink     core.Sink
	requests map[core.ID]*Request
	free     []*Request
	cancels  cancels
	refused  int
	tooLong  int

	device *Device
	// busy says that an action is outstanding, change is what is to come, and
	// events are those recorded.
	busy   bool
	change *Change
	events int64
}

func (in *inputs) find(id core.ID) *Request { return in.requests[id] }

// Next is the stamp of the next arrival or cancel.
func (in *inputs) Next() core.Micros {
	for len(in.cancels.heap) > 0 && in.requests[in.cancels.heap[0].id] == nil {
		in.cancels.pop() // it ended before its sender gave up
	}
	return min(in.source.Peek(), in.cancels.next())
}

// Deliver submits and cancels in the order of the stamps; an arrival comes
// before a cancel of the same time. A change comes as soon as its moment is
// there.
func (in *inputs) Deliver(s *core.Scheduler, now core.Micros) error {
	for {
		if err := in.reconfigure(s, now); err != nil {
			return err
		}
		at := in.Next()
		if at > now || at == core.Never {
			in.busy = false
			return nil
		}
		if at < in.source.Peek() {
			s.Cancel(at, in.cancels.pop())
			continue
		}
		if err := in.submit(s, at); err != nil {
			return err
		}
	}
}

func (in *inputs) submit(s *core.Scheduler, at core.Micros) error {
	r := in.request()
	if err := in.source.Next(r); err != nil {
		return err
	}
	in.requests[r.ID] = r
	err := s.Submit(at, core.Request{
		ID: r.ID, Prompt: r.Prompt, Output: r.Output,
		Prefix: r.Prefix, PrefixRows: in.device.shared(r), Background: r.Background, NoDraft: r.NoDraft,
	})
	switch {
	case err == nil:
		if r.CancelAt != core.Never {
			in.cancels.push(r.CancelAt, r.ID)
		}
		return nil
	case errors.Is(err, core.ErrQueueFull), errors.Is(err, core.ErrContext):
		in.refused++
		if errors.Is(err, core.ErrContext) {
			in.tooLong++
		}
		in.Record(&core.Event{At: at, Kind: core.EventFailed, ID: r.ID, Slot: -1, Reason: "refused"})
		return nil
	default:
		return fmt.Errorf("sim: request %d: %w", r.ID, err)
	}
}

func (in *inputs) request() *Request {
	if n := len(in.free); n > 0 {
		r := in.free[n-1]
		in.free = in.free[:n-1]
		*r = Request{}
		return r
	}
	return &Request{}
}

// Record passes an event on, and forgets requests that are over.
func (in *inputs) Record(e *core.Event) {
	in.events++
	if in.sink != nil {
		in.sink.Record(e)
	}
	switch e.Kind {
	case core.EventFinished, core.EventCancelled, core.EventFailed:
		if r, ok := in.requests[e.ID]; ok {
			delete(in.requests, e.ID)
			in.free = append(in.free, r)
		}
		in.source.Ended(e.ID, e.At)
	}
}
