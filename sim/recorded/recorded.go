package recorded

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/costmodel/sampled"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/sim"
	"github.com/tfsim/tfsim/sim/result"
)

// Recording is what a record tells.
type Recording struct {
	// Note is the recorder's, Config the configuration at its start.
	Note   json.RawMessage
	Config core.Config
	// Requests are in the order of their arrival, At when each came. Their
	// outputs are as long as they became, where they ended by themselves.
	Requests []sim.Request
	At       []core.Micros
	// Timed is what the work took, with what the engine added.
	Timed sampled.Set
	// Changes counts the configurations that came later, Losses the times that a
	// slot was lost or its work failed: neither is simulated.
	Changes, Losses int
	// Reach is how far the record goes.
	Reach engine.Reach
	// Measured are the figures as they were.
	Measured result.Run

	rates rates
	end   core.Micros
}

// ErrDiffers says that the scheduler decides otherwise than it did when the
// record was made, so that its events cannot be told.
var ErrDiffers = errors.New("the record does not replay")

// Read reads a record. prices gives the belief from its note.
func Read(data []byte, prices func(note json.RawMessage) (core.Prices, error)) (*Recording, error) {
	r := &Recording{}
	b := reader{out: r, flights: map[core.ID]*flight{}}
	var err error
	if r.Reach, err = engine.ReadRecord(bytes.NewReader(data), r.begin, b.take); err != nil {
		return nil, err
	}
	b.close()
	switch {
	case len(b.order) > 0:
	case !r.Reach.Whole:
		return nil, fmt.Errorf("%s, before its first request", r.Reach.Short())
	default:
		return nil, errors.New("the record has no requests")
	}
	figures := result.NewRecorder(result.Options{PerRequest: true, Lanes: r.Config.Lanes})
	x, err := engine.Replay(bytes.NewReader(data), prices, figures)
	if err != nil {
		return nil, err
	}
	if x.Difference != "" {
		return nil, fmt.Errorf("%w: %s", ErrDiffers, x.Difference)
	}
	r.Measured = figures.Result(r.end)
	return r, nil
}

// begin takes the first line.
func (r *Recording) begin(first *engine.Entry) error {
	r.Note, r.Config = first.Note, *first.Config
	return nil
}

// flight is a request on its way through the record.
type flight struct {
	request core.Request
	came    core.Micros
	gave    core.Micros // when it was given up
	emitted int
	ended   bool
	cached  int
	drafts  *drafts
}

// reader follows the entries.
type reader struct {
	out     *Recording
	flights map[core.ID]*flight
	order   []*flight
	action  *core.Action
	began   core.Micros
	ended   core.Micros // when the last outcome of work came
	idle    bool        // before the action under way there was nothing to do
	work    work
	rounds  rounds
}

func (b *reader) take(e *engine.Entry) error {
	b.out.end = max(b.out.end, e.At)
	if e.Action == nil {
		b.work.pause()
	}
	switch {
	case e.Submit != nil:
		f := &flight{request: *e.Submit, came: e.At, gave: core.Never, drafts: &drafts{asks: map[int]ask{}}}
		b.flights[f.request.ID] = f
		b.order = append(b.order, f)
	case e.Cancel != 0:
		if f := b.flights[e.Cancel]; f != nil && !f.ended {
			f.gave = e.At
		}
	case e.Change != nil:
		b.out.Changes++
	case e.Action != nil:
		b.work.next(e.At)
		b.idle = e.At-b.ended >= costmodel.IdleLeast
		b.action, b.began = e.Action, e.At
	case e.Outcome != nil:
		b.outcome(e.Outcome)
		b.work.done(b.began, e.Outcome.Wall)
		if b.action.Kind != core.Begin || e.Outcome.Rows > 0 {
			b.ended = e.At // to take a slot with no state is no work
		}
	}
	return nil
}

// outcome notes what an action gave and took.
func (b *reader) outcome(o *core.Outcome) {
	a := b.action
	b.work.start(nil)
	switch a.Kind {
	case core.Begin:
		b.lost(o.Status)
		if f := b.flights[a.ID]; f != nil && o.Status == core.OK && o.Rows > 0 {
			rows := o.Rows
			f.cached = rows
			b.work.start(func(ms float64) {
				b.out.Timed.Restores = append(b.out.Timed.Restores, sampled.Restore{Rows: rows, Ms: ms})
			})
		}
	case core.Step:
		b.rounds.cold = 1
		b.step(a, o)
	case core.Pass:
		b.pass(a, o)
	case core.Round:
		b.round(a, o)
	}
}

// lost counts what is not simulated of an outcome.
func (b *reader) lost(s core.Status) {
	if s == core.Lost || s == core.Failed {
		b.out.Losses++
	}
}

func (b *reader) step(a *core.Action, o *core.Outcome) {
	b.lost(o.Status)
	if o.Status != core.OK {
		return
	}
	c := sampled.Chunk{Rows: a.Rows, From: a.From, First: a.From == 0, Last: a.Last, Idle: b.idle}
	b.work.start(func(ms float64) {
		c.Ms = ms
		b.out.Timed.Chunks = append(b.out.Timed.Chunks, c)
	})
	if f := b.flights[a.ID]; f != nil && a.Last && f.emitted == 0 {
		f.emitted = 1
		f.ended = o.End
	}
}

func (b *reader) pass(a *core.Action, o *core.Outcome) {
	if o.Status != core.OK {
		return
	}
	at, total, longest := 0, 0, 0
	for _, k := range a.Asks {
		if k.Depth < 0 || at+k.Depth > len(o.Confidences) {
			return
		}
		if f := b.flights[k.ID]; f != nil {
			rows := f.request.Prompt + f.emitted
			total, longest = total+rows, max(longest, rows)
			f.drafts.asks[f.emitted] = ask{confidences: o.Confidences[at : at+k.Depth]}
		}
		at += k.Depth
	}
	asked, context := core.AskedBy(a.Asks), total
	if b.out.Config.Packing.Longest {
		context = longest * len(a.Asks)
	}
	b.work.start(func(ms float64) {
		b.out.Timed.Passes = append(b.out.Timed.Passes, sampled.Pass{Asked: asked, Context: context, Ms: ms})
	})
}

func (b *reader) round(a *core.Action, o *core.Outcome) {
	if len(o.Slots) != len(a.Windows) {
		return
	}
	whole := o.Status == core.OK
	for i, w := range a.Windows {
		k := o.Slots[i]
		b.lost(k.Status)
		whole = whole && k.Status == core.OK
		f := b.flights[w.ID]
		if f == nil || k.Status != core.OK {
			continue
		}
		if x, ok := f.drafts.asks[f.emitted]; ok {
			x.verified, x.kept = w.Drafts, k.Kept
			if w.Drafts == 0 && w.Held > 0 {
				x.verified = 1
				if k.Matched {
					x.kept = 1
				}
			}
			f.drafts.asks[f.emitted] = x
		}
		f.emitted += k.Emitted
		f.ended = f.ended || k.End || f.emitted >= f.request.Output
	}
	if whole {
		b.work.start(b.rounds.timed(a, b.out.Config.Packing))
	}
	if b.rounds.cold > 0 {
		b.rounds.cold++
	}
}

// close makes the requests.
func (b *reader) close() {
	b.work.close()
	b.rounds.close(&b.out.Timed)
	shared := map[uint64]int{}
	for _, f := range b.order {
		shared[f.request.Prefix] = max(shared[f.request.Prefix], f.request.PrefixRows)
		b.out.rates.add(f.drafts)
	}
	for _, f := range b.order {
		q := f.request
		f.drafts.settle(uint64(q.ID), &b.out.rates)
		r := sim.Request{
			ID: q.ID, Prompt: q.Prompt, Output: q.Output, Background: q.Background, NoDraft: q.NoDraft,
			CancelAt: f.gave, Text: uint64(q.ID), Loads: [2]string{loadName, loadName}, Played: f.drafts,
		}
		if f.ended {
			r.Output = max(f.emitted, 1)
		}
		// A state that came of a request in flight is kept in the simulation as
		// well; one from before is there whatever happens.
		r.Prefix, r.PrefixTokens = q.Prefix, q.PrefixRows
		if q.PrefixRows == 0 {
			r.Restored, r.PrefixTokens = f.cached, min(shared[q.Prefix], q.Prompt)
		}
		b.out.Requests = append(b.out.Requests, r)
		b.out.At = append(b.out.At, f.came)
	}
}
