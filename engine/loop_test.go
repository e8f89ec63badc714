package engine

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
)

// input is a submit or, with cancel set, a cancel.
type input struct {
	at     core.Micros
	id     core.ID
	cancel bool
}

// world is a doer, clock and inputs at once. Every action takes a millisecond;
// what happens goes to the log.
type world struct {
	now    core.Micros
	inputs []input
	log    []string
	// failAt is the number of the action at which the device fails, from 1.
	failAt, done int
	deliverErr   error
	badOutcome   bool
	// early is a time at which a wait ends by itself.
	early core.Micros
}

var errBroken = errors.New("broken")

func (w *world) say(what string) { w.log = append(w.log, what) }

func (w *world) Now() core.Micros { return w.now }

func (w *world) Wait(until core.Micros) {
	w.say("wait")
	if w.now < w.early && w.early < until {
		until = w.early
	}
	w.now = max(w.now, until)
}

func (w *world) Next() core.Micros {
	if len(w.inputs) == 0 {
		return core.Never
	}
	return w.inputs[0].at
}

func (w *world) Deliver(s *core.Scheduler, now core.Micros) error {
	for len(w.inputs) > 0 && w.inputs[0].at <= now {
		if w.deliverErr != nil {
			return w.deliverErr
		}
		in := w.inputs[0]
		w.inputs = w.inputs[1:]
		if in.cancel {
			w.say("cancel")
			s.Cancel(in.at, in.id)
			continue
		}
		w.say("submit")
		if err := s.Submit(in.at, core.Request{ID: in.id, Prompt: 10, Output: 3}); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) Do(a *core.Action, o *core.Outcome) error {
	if w.done++; w.done == w.failAt {
		return errBroken
	}
	w.say(a.Kind.String())
	w.now += 1000
	*o = core.Outcome{Wall: 1000, Device: 1000, Rows: a.Rows}
	for range a.Windows {
		o.Slots = append(o.Slots, core.SlotOutcome{Emitted: 1})
	}
	if w.badOutcome {
		o.Wall = -1
	}
	return nil
}

// Record logs what Done says of requests.
func (w *world) Record(e *core.Event) {
	switch e.Kind {
	case core.EventFinished, core.EventCancelled:
		w.say(e.Kind.String())
	}
}

func (w *world) run(t *testing.T) error {
	c := core.DefaultConfig()
	c.Drafts, c.Sink = false, w
	s, err := core.New(c)
	require.NoError(t, err)
	return Run(s, w, w, w)
}

func TestRunsToTheEnd(t *testing.T) {
	w := &world{inputs: []input{{at: 0, id: 1}, {at: 10_000, id: 2}}}
	require.NoError(t, w.run(t))
	require.Equal(t, []string{
		"submit", "step", "round", "round", "finished",
		"wait", "submit", "step", "round", "round", "finished",
	}, w.log)
	require.Equal(t, core.Micros(13_000), w.now, "it waited for the second request alone")
}

func TestNothingToDo(t *testing.T) {
	w := &world{now: 7}
	require.NoError(t, w.run(t))
	require.Empty(t, w.log)
	require.Equal(t, core.Micros(7), w.now)
}

// An input stamped while the device works is there before the outcome is
// applied: the cancelled request gets no token of the round that was out.
func TestInputsComeBeforeTheOutcome(t *testing.T) {
	for _, at := range []core.Micros{1001, 1500, 2000} {
		w := &world{inputs: []input{{at: 0, id: 1}, {at: at, id: 1, cancel: true}}}
		require.NoError(t, w.run(t))
		require.Equal(t, []string{"submit", "step", "round", "cancel", "cancelled"}, w.log, "at %d", at)
	}
	w := &world{inputs: []input{{at: 0, id: 1}, {at: 2001, id: 1, cancel: true}}}
	require.NoError(t, w.run(t))
	require.Equal(t, []string{"submit", "step", "round", "round", "cancel", "cancelled"}, w.log)
}

// A request that arrives while the device works is admitted next.
func TestArrivalDuringACall(t *testing.T) {
	w := &world{inputs: []input{{at: 0, id: 1}, {at: 500, id: 2}}}
	require.NoError(t, w.run(t))
	require.Equal(t, []string{"submit", "step", "submit", "step", "round", "round", "finished", "finished"}, w.log)
}

// A wait may end early; the loop looks again and waits on.
func TestWaitEndsEarly(t *testing.T) {
	w := &world{early: 4000, inputs: []input{{at: 9000, id: 1}}}
	require.NoError(t, w.run(t))
	require.Equal(t, []string{"wait", "wait", "submit", "step", "round", "round", "finished"}, w.log)
}

func TestErrors(t *testing.T) {
	t.Run("of the device", func(t *testing.T) {
		w := &world{failAt: 2, inputs: []input{{at: 0, id: 1}}}
		require.ErrorIs(t, w.run(t), errBroken)
		require.Equal(t, []string{"submit", "step"}, w.log)
	})
	t.Run("of the inputs", func(t *testing.T) {
		w := &world{deliverErr: errBroken, inputs: []input{{at: 0, id: 1}}}
		require.ErrorIs(t, w.run(t), errBroken)
		require.Empty(t, w.log)
	})
	t.Run("of the inputs, after an action", func(t *testing.T) {
		w := &world{inputs: []input{{at: 0, id: 1}, {at: 500, id: 1}}}
		require.ErrorIs(t, w.run(t), core.ErrRequest)
		require.Equal(t, []string{"submit", "step", "submit"}, w.log)
	})
	t.Run("of an outcome that does not fit", func(t *testing.T) {
		w := &world{badOutcome: true, inputs: []input{{at: 0, id: 1}}}
		require.ErrorContains(t, w.run(t), "must not be negative")
	})
}
