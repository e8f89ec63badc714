package engine

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
)

// hands does core's actions on a token-level device. It knows the tokens that
// core only counts.
type hands struct {
	device device.Device
	info   *device.Info
	clock  Clock
	find   func(core.ID) *Reply
	cache  *cache
	plain  bool // nothing is ever drafted
	revive reviver

	// slots are the requests whose rows the device holds.
	slots  []*Reply
	worked time.Duration

	tokens   []device.Token
	asks     []device.Ask
	drafts   []device.Draft
	windows  []device.Window
	verdicts []device.Verdict
}

// Do does an action. What fails for a request is said in the outcome.
func (h *hands) Do(a *core.Action, o *core.Outcome) error {
	*o = core.Outcome{Slots: o.Slots[:0], Confidences: o.Confidences[:0]}
	started := h.clock.Now()
	h.worked = 0
	err := h.revive.ready()
	if err == nil {
		err = h.release(a.Release)
	}
	if errors.Is(err, device.ErrClosed) {
		return err
	}
	switch a.Kind {
	case core.Begin:
		err = h.begin(a, o)
	case core.Step:
		err = h.step(a, o)
	case core.Pass:
		err = h.pass(a, o)
	case core.Round:
		err = h.round(a, o)
	default:
		err = fmt.Errorf("engine: cannot do an action of kind %s", a.Kind)
	}
	if errors.Is(err, device.ErrClosed) {
		return err
	}
	o.Device = core.Micros(h.worked.Microseconds())
	o.Wall = max(h.clock.Now()-started, 0)
	return nil
}

// release frees the slots that the device still holds.
func (h *hands) release(slots []int) error {
	held := make([]int, 0, 8)
	for _, s := range slots {
		if h.slots[s] != nil {
			held = append(held, s)
			h.slots[s] = nil
		}
	}
	if len(held) == 0 {
		return nil
	}
	err := h.device.Release(held...)
	h.work()
	return h.check(err)
}

// look calls the device for nothing, and says whether it is there afterwards.
func (h *hands) look() error {
	err := h.revive.ready()
	if err == nil {
		if err = h.check(h.device.Release()); errors.Is(err, device.ErrLost) && !h.revive.down {
			return nil // it was lost, and is back
		}
	}
	return err
}

// work adds the time of the call that just ended; of a device in another
// process, with the way there and back, which plans have to pay for too.
func (h *hands) work() {
	h.worked += h.device.Worked()
	if far, ok := h.device.(device.Distant); ok {
		h.worked += far.Hop()
	}
}

// check looks at a call's error: a lost device is brought back at once. The
// error of one that does not come back says why it does not.
func (h *hands) check(err error) error {
	if errors.Is(err, device.ErrLost) {
		clear(h.slots)
		h.revive.lost(err)
		return h.revive.why
	}
	return err
}

// status is what an error means to a request. The request is told why.
func (h *hands) status(r *Reply, err error) core.Status {
	switch {
	case err == nil:
		return core.OK
	case errors.Is(err, device.ErrLost) && !h.revive.hopeless():
		r.fault = err
		return core.Lost
	}
	r.fault = err
	return core.Failed
}

// gone is the error of a slot that the device does not hold any more.
func (h *hands) gone() error {
	if why := h.revive.why; why != nil {
		return why
	}
	return device.ErrLost
}

func (h *hands) hold(slot int, r *Reply) {
	h.slots[slot] = r
	r.drafts = r.drafts[:0]
}

// begin takes a slot with the longest kept state of its prompt.
func (h *hands) begin(a *core.Action, o *core.Outcome) error {
	r := h.find(a.ID)
	if rows, state := h.cache.longest(r.request.Prompt); rows > 0 {
		got, err := h.device.Begin(a.Slot, device.BeginOptions{State: state, Rows: rows, NoDraft: h.plain || r.request.NoDraft})
		h.work()
		if err == nil {
			h.hold(a.Slot, r)
			o.Rows = got
			return nil
		}
		if err = h.check(err); errors.Is(err, device.ErrLost) || errors.Is(err, device.ErrClosed) {
			o.Status = core.Lost
			return err
		}
		// A damaged entry: it is dropped and the prompt runs from its start.
		h.cache.drop(state)
	}
	return nil // the first step takes the slot
}

// step feeds prompt rows, and draws the first token after the last.
func (h *hands) step(a *core.Action, o *core.Outcome) error {
	r := h.find(a.ID)
	var err error
	switch {
	case h.slots[a.Slot] != nil:
	case a.From == 0:
		if _, err = h.device.Begin(a.Slot, device.BeginOptions{NoDraft: h.plain || r.request.NoDraft}); err == nil {
			h.hold(a.Slot, r)
		}
		h.work()
		err = h.check(err)
	default:
		err = h.gone()
	}
	if err == nil {
		err = h.feed(a, o, r)
	}
	switch {
	case err != nil && r.ctx.Err() != nil && errors.Is(err, r.ctx.Err()):
		o.Status = core.Aborted
		return nil
	case err == nil:
		h.revive.worked()
	}
	o.Status = h.status(r, err)
	return err
}

func (h *hands) feed(a *core.Action, o *core.Outcome, r *Reply) error {
	h.tokens = h.tokens[:0]
	tokens := r.rows(a.From, a.Rows, h.tokens)
	var err error
	if !a.Last {
		o.Rows, err = h.device.Piece(r.ctx, a.Slot, a.From, tokens)
		h.work()
		return h.check(err)
	}
	options := device.FinishOptions{Sampling: r.request.Sampling}
	if n := len(r.drawn); n > 0 {
		options.Resumed, options.Known = true, r.drawn[n-1]
	}
	var first device.Token
	first, o.Rows, err = h.device.Finish(r.ctx, a.Slot, a.From, tokens, options)
	h.work()
	if err != nil {
		return h.check(err)
	}
	if options.Resumed {
		return nil
	}
	h.keep(a.Slot, r)
	r.drawn = append(r.drawn, first)
	o.End = r.ends(first, h.info)
	return nil
}

// keep saves the state of a whole prompt.
func (h *hands) keep(slot int, r *Reply) {
	if !h.cache.wants(r.request.Prompt, h.info.StateBytes) {
		return
	}
	state, err := h.device.Save(slot)
	h.work()
	if h.check(err) == nil {
		h.cache.keep(r.request.Prompt, state)
	}
}

// pass drafts. A slot that is gone is found out by the round that follows.
func (h *hands) pass(a *core.Action, o *core.Outcome) error {
	h.asks = h.asks[:0]
	for _, k := range a.Asks {
		if h.slots[k.Slot] == nil {
			o.Status = core.Failed
			return nil
		}
		h.asks = append(h.asks, device.Ask{Slot: k.Slot, Depth: k.Depth})
	}
	var err error
	h.drafts, err = h.device.Pass(h.asks, h.drafts[:0])
	h.work()
	if err = h.check(err); err != nil {
		o.Status = core.Failed
		return err
	}
	at := 0
	for _, k := range a.Asks {
		r := h.slots[k.Slot]
		r.drafts = r.drafts[:0]
		for _, d := range h.drafts[at : at+k.Depth] {
			r.drafts = append(r.drafts, d.Token)
			o.Confidences = append(o.Confidences, certainty(d.Confidence))
		}
		at += k.Depth
	}
	return nil
}

// round verifies the windows, launch by launch.
func (h *hands) round(a *core.Action, o *core.Outcome) error {
	at := 0
	for _, n := range a.Launches {
		if err := h.launch(a.Windows[at:at+n], o); err != nil && errors.Is(err, device.ErrClosed) {
			return err
		}
		at += n
	}
	return nil
}

func (h *hands) launch(windows []core.Window, o *core.Outcome) error {
	h.windows = h.windows[:0]
	for _, w := range windows {
		if r := h.slots[w.Slot]; r != nil {
			h.windows = append(h.windows, device.Window{
				Slot: w.Slot, Position: w.Position, Drafts: r.drafts[:w.Drafts], Pad: w.Pad,
			})
		}
	}
	h.verdicts = h.verdicts[:0]
	var err error
	if len(h.windows) > 0 {
		h.verdicts, err = h.device.Verify(h.windows, h.verdicts)
		h.work()
		if err = h.check(err); err == nil {
			h.revive.worked()
		}
	}
	at := 0
	for _, w := range windows {
		r := h.find(w.ID)
		switch {
		case err != nil:
			o.Slots = append(o.Slots, core.SlotOutcome{Status: h.status(r, err)})
		case h.slots[w.Slot] == nil:
			o.Slots = append(o.Slots, core.SlotOutcome{Status: h.status(r, h.gone())})
		default:
			o.Slots = append(o.Slots, h.verdict(w, r, &h.verdicts[at]))
			at++
		}
	}
	return err
}

// verdict takes the tokens of one window.
func (h *hands) verdict(w core.Window, r *Reply, v *device.Verdict) core.SlotOutcome {
	out := core.SlotOutcome{Kept: v.Kept, Matched: len(r.drafts) > 0 && r.drafts[0] == v.Tokens[0]}
	for _, t := range v.Tokens {
		r.drawn = append(r.drawn, t)
		out.Emitted++
		if r.ends(t, h.info) {
			out.End = true
			break
		}
	}
	r.inexact = r.inexact || !h.info.Holds(w.Rows())
	r.drafts = r.drafts[:0]
	return out
}

// certainty is a drafter's confidence as a probability; one that is no number
// tells nothing.
func certainty(confidence float64) float64 {
	if math.IsNaN(confidence) {
		return 0
	}
	return min(max(confidence, 0), 1)
}
