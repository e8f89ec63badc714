package result

import (
	"fmt"

	"github.com/tfsim/tfsim/core"
	"pgregory.net/rapid"
)

// story is a made-up run: requests and the events that core could emit.
type story struct {
	lanes  int
	slo    *SLO
	metas  map[core.ID]Meta
	order  []core.ID
	events []core.Event
	end    core.Micros
}

// actor is a request of a story.
type actor struct {
	id      core.ID
	slot    int
	filling bool
	tokens  int
}

// drawStory draws one; its actions are in no sensible order, but each request
// lives a life that core allows.
func drawStory(t *rapid.T) *story {
	s := &story{lanes: rapid.IntRange(1, 4).Draw(t, "lanes"), metas: make(map[core.ID]Meta)}
	if rapid.Bool().Draw(t, "slo") {
		s.slo = &SLO{
			TTFT:   core.Micros(rapid.IntRange(0, 3_000_000).Draw(t, "ttft")),
			GapP95: core.Micros(rapid.IntRange(0, 3_000_000).Draw(t, "gap")),
		}
	}
	var (
		now     = core.Micros(rapid.IntRange(0, 1000).Draw(t, "start"))
		waiting []*actor
		lanes   = make([]*actor, s.lanes)
	)
	emit := func(e core.Event) {
		e.At = now
		s.events = append(s.events, e)
	}
	span := func() core.Micros {
		if rapid.Bool().Draw(t, "long") {
			return core.Micros(rapid.IntRange(0, 5_000_000).Draw(t, "span"))
		}
		return core.Micros(rapid.IntRange(0, 100).Draw(t, "span"))
	}
	pick := func(filling bool) *actor {
		var fit []*actor
		for _, a := range lanes {
			if a != nil && a.filling == filling {
				fit = append(fit, a)
			}
		}
		if fit == nil {
			return nil
		}
		return rapid.SampledFrom(fit).Draw(t, "actor")
	}
	replies := func() bool { return pick(false) != nil }
	deliver := func(a *actor, tokens, drafts, kept int) {
		a.tokens += tokens
		emit(core.Event{Kind: core.EventTokens, ID: a.id, Slot: a.slot, Tokens: tokens, Total: a.tokens, Drafts: drafts, Kept: kept})
	}
	endings := []core.EventKind{core.EventFinished, core.EventFinished, core.EventCancelled, core.EventFailed}

	for range rapid.IntRange(0, 80).Draw(t, "events") {
		switch op := rapid.IntRange(0, 9).Draw(t, "op"); op {
		case 0, 1:
			a := &actor{id: core.ID(len(s.order) + 1), slot: -1}
			m := Meta{Name: fmt.Sprint("r", a.id), Sent: now, Prompt: 1 + int(a.id), Output: 9}
			s.order = append(s.order, a.id)
			s.metas[a.id] = m
			now += span() / 10
			emit(core.Event{Kind: core.EventSubmitted, ID: a.id, Slot: -1, Rows: m.Prompt, Tokens: m.Output})
			waiting = append(waiting, a)
		case 2, 3:
			for slot, a := range lanes {
				if a == nil && len(waiting) > 0 {
					a, waiting = waiting[0], waiting[1:]
					a.slot, a.filling, lanes[slot] = slot, true, a
					emit(core.Event{Kind: core.EventAdmitted, ID: a.id, Slot: slot})
					if rapid.Bool().Draw(t, "begin") {
						device := span()
						now += device
						emit(core.Event{Kind: core.EventBegin, ID: a.id, Slot: slot, Rows: rapid.IntRange(0, 9).Draw(t, "rows"), Wall: device, Device: device, Beside: replies()})
					}
				}
			}
		case 4, 5:
			if a := pick(true); a != nil {
				wall, beside := span(), replies()
				now += wall
				last := rapid.Bool().Draw(t, "last")
				emit(core.Event{Kind: core.EventStep, ID: a.id, Slot: a.slot, Rows: rapid.IntRange(1, 9).Draw(t, "rows"), Wall: wall, Device: wall / 2, Beside: beside, Last: last})
				if last {
					a.filling = false
					if a.tokens == 0 {
						deliver(a, 1, 0, 0)
					}
				}
			}
		case 6, 7:
			if replies() {
				wall := span()
				kind := rapid.SampledFrom([]core.EventKind{core.EventPass, core.EventRound, core.EventRound}).Draw(t, "kind")
				now += wall
				emit(core.Event{Kind: kind, Slot: -1, Wall: wall, Device: wall})
				for _, a := range lanes {
					if kind == core.EventRound && a != nil && !a.filling {
						kept := rapid.IntRange(0, 3).Draw(t, "kept")
						deliver(a, 1+kept, 3, kept)
					}
				}
			}
		case 8:
			if a := pick(rapid.Bool().Draw(t, "filling")); a != nil {
				lanes[a.slot] = nil
				emit(core.Event{Kind: rapid.SampledFrom(endings).Draw(t, "ending"), ID: a.id, Slot: a.slot})
			} else if len(waiting) > 0 {
				a, waiting = waiting[0], waiting[1:]
				emit(core.Event{Kind: core.EventCancelled, ID: a.id, Slot: -1})
			}
		case 9:
			if a := pick(false); a != nil {
				a.filling = true
				emit(core.Event{Kind: core.EventLost, ID: a.id, Slot: a.slot})
			}
		}
	}
	s.end = now + span()
	return s
}

// record plays a story to a recorder, declaring each request just before its
// submission.
func (s *story) record(o Options) *Recorder {
	o.Lanes, o.SLO = s.lanes, s.slo
	r := NewRecorder(o)
	for i := range s.events {
		e := &s.events[i]
		if e.Kind == core.EventSubmitted {
			r.Expect(e.ID, s.metas[e.ID])
		}
		r.Record(e)
	}
	return r
}
