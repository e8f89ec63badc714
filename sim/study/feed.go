package study

import (
	"context"
	"errors"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/workload"
)

var errStopped = errors.New("stopped")

// feed gives a workload's arrivals to a simulation and declares them to the
// recorder.
type feed struct {
	ctx    context.Context
	source workload.Source
	rec    *result.Recorder
	// cache says that kept states may be restored.
	cache bool
	// listed says that the requests were declared before the run.
	listed bool
	// twins says that some requests share a text.
	twins bool
	// names of the requests in flight, for events; nil if nobody asks.
	names map[core.ID]string
	// trace is the source where that is a trace, nil otherwise.
	trace *traced

	peeks   int
	stopped bool
}

// newFeed feeds a source. The recorder may be nil.
func newFeed(ctx context.Context, source workload.Source, rec *result.Recorder, c *cell) *feed {
	f := &feed{ctx: ctx, source: source, rec: rec, cache: c.arm.cache > 0, listed: rec == nil || c.case_.Workload == nil}
	if t, ok := source.(*workload.Traced); ok {
		f.trace = &traced{Traced: t, most: mostInFlight + c.arm.config.Lanes}
	}
	for _, r := range c.case_.Requests {
		f.twins = f.twins || r.Like != ""
	}
	return f
}

// Peek makes an arrival due at once in a run that is stopped, for Next to
// refuse it: a run may go on for long without any.
func (f *feed) Peek() core.Micros {
	if f.peeks++; f.peeks%1024 == 0 {
		f.stopped = f.ctx.Err() != nil
		f.trace.tell()
	}
	if f.stopped {
		return 0
	}
	if f.trace != nil {
		return f.trace.peek()
	}
	return f.source.Peek()
}

func (f *feed) Next(r *sim.Request) error {
	if f.stopped || f.ctx.Err() != nil {
		return errStopped
	}
	if err := f.trace.take(); err != nil {
		return err
	}
	a := f.source.Next()
	*r = sim.Request{
		ID: core.ID(a.Index + 1), Prompt: a.Prompt, Output: a.Output,
		Loads: a.Load, TurnAt: a.TurnAt, Temperature: a.Temperature,
		Background: a.Background, NoDraft: a.NoDraft, CancelAt: a.CancelAt,
		Text: a.Text, Twin: f.twins,
	}
	if f.cache {
		r.Prefix, r.PrefixTokens, r.Blocks = a.Prefix, a.PrefixTokens, a.Blocks
	}
	if len(a.Blocks) > 0 {
		f.trace.blocks = true
		if f.cache {
			r.Prefix = a.Blocks[0]
		}
	}
	if !f.listed {
		f.rec.Expect(r.ID, result.Meta{Name: a.ID, Sent: a.At, Prompt: a.Prompt, Output: a.Output})
	}
	if f.names != nil {
		f.names[r.ID] = a.ID
	}
	return nil
}

func (f *feed) Ended(id core.ID, at core.Micros) {
	delete(f.names, id)
	f.trace.ended(at)
	f.source.Finished(int(id)-1, at)
}

// close gives up the file of a source that has one.
func (f *feed) close() {
	if f.trace != nil {
		f.trace.Close()
	}
}
