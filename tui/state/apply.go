package state

import "github.com/tfsim/tfsim/core"

// Apply takes one event, with the name of its request if there is one.
func (s *State) Apply(e *core.Event, name string) {
	if s.Total.Events == 0 {
		s.Origin = e.At - e.Wall
		s.Total.Since = s.Origin
		s.Part.Since = max(s.Part.Since, s.Origin)
	}
	s.Total.Events++
	s.Part.Events++
	s.Now = max(s.Now, e.At)
	switch e.Kind {
	case core.EventSubmitted:
		s.submitted(e, name)
	case core.EventAdmitted:
		s.admitted(e, name)
	case core.EventBegin, core.EventStep, core.EventPass, core.EventRound:
		s.acted(e, name)
	case core.EventTokens:
		s.tokens(e, name)
	case core.EventFinished:
		s.Total.Done++
		s.Part.Done++
		s.ended(e, name, Done)
	case core.EventCancelled:
		s.Total.Cancelled++
		s.Part.Cancelled++
		s.ended(e, name, Cancelled)
	case core.EventFailed:
		s.Total.Failed++
		s.Part.Failed++
		s.ended(e, name, Failed)
	case core.EventLost:
		s.lost(e, name)
	}
}

func (s *State) submitted(e *core.Event, name string) {
	s.Total.Submitted++
	s.Part.Submitted++
	if _, twice := s.flight[e.ID]; twice {
		return
	}
	r := s.request(e, name)
	r.Prompt, r.Need, r.Output, r.Submitted = e.Rows, e.Rows, e.Tokens, e.At
	s.queue.push(r)
}

func (s *State) admitted(e *core.Event, name string) {
	r := s.find(e, name)
	r.Admitted = e.At
	s.place(r, e.Slot)
}

// place puts a request into a slot; its prompt fills.
func (s *State) place(r *Request, slot int) {
	if r.Slot >= 0 || slot < 0 || slot >= MostSlots {
		return
	}
	if r.Phase == Queued && r.place >= 0 {
		s.queue.remove(r)
		r.place = -1
	}
	r.Phase, r.Slot = Filling, slot
	s.filling++
	for len(s.Slots) <= slot {
		s.Slots = append(s.Slots, nil)
	}
	if old := s.Slots[slot]; old != nil {
		s.forget(old) // its end was missed
	}
	s.Slots[slot] = r
}

// forget drops a request in flight.
func (s *State) forget(r *Request) {
	if r.Phase == Filling {
		s.filling--
	}
	if r.Phase == Queued && r.place >= 0 {
		s.queue.remove(r)
	}
	if r.Slot >= 0 && s.Slots[r.Slot] == r {
		s.Slots[r.Slot] = nil
	}
	delete(s.flight, r.ID)
	s.free = append(s.free, r)
}

// Rejoin forgets every request in flight, but no total: events were missed.
func (s *State) Rejoin() {
	for _, r := range s.flight {
		s.forget(r)
	}
	s.pass = Pass{}
}

func (s *State) acted(e *core.Event, name string) {
	filling := s.filling > 0
	s.Total.did(e, filling)
	s.Part.did(e, filling)
	s.Owed = e.Owed
	span := s.Spans.Add()
	*span = Span{
		Start: e.At - e.Wall, End: e.At, Kind: e.Kind, Slot: e.Slot, ID: e.ID,
		From: e.From, Rows: e.Rows, Windows: e.Windows, Price: e.Price, Device: e.Device,
		Beside: e.Beside, Last: e.Last, Filling: filling, Failed: e.Reason != "",
		Drafts: e.Drafts, Kept: e.Kept, Tokens: e.Tokens,
	}
	switch e.Kind {
	case core.EventBegin:
		span.Slots = bit(e.Slot)
		if s.over(e) {
			return
		}
		r := s.find(e, name)
		s.place(r, e.Slot)
		r.Filled = e.Rows
	case core.EventStep:
		span.Slots = bit(e.Slot)
		if s.over(e) {
			return
		}
		r := s.find(e, name)
		s.place(r, e.Slot)
		r.Filled = max(e.From+e.Rows, r.Filled)
		r.Need = max(r.Need, r.Filled)
		r.Steps++
		if e.Last && e.Reason == "" && r.Phase == Filling && r.HasFirst {
			// Filled again after a loss: the token was delivered before.
			r.Phase = Decoding
			s.filling--
		}
	case core.EventPass:
		s.pass = Pass{Asks: e.Windows, Drafts: e.Rows, Price: e.Price, Wall: e.Wall, Device: e.Device, Failed: e.Reason != ""}
		s.shapes.note(e.Windows, 0, e.Price, e.Device)
	case core.EventRound:
		if e.Reason == "" {
			s.shapes.note(e.Windows, e.Rows, e.Price, e.Device)
		}
		round := s.Rounds.Add()
		*round = Round{
			Seq: s.Total.Rounds, At: e.At, Wall: e.Wall, Device: e.Device, Price: e.Price,
			Rows: e.Rows, Launch: e.Launches, Drafts: e.Drafts, Kept: e.Kept, Tokens: e.Tokens,
			Owed: e.Owed, Reason: e.Reason, Planned: e.Windows, Windows: round.Windows[:0], Pass: s.pass,
		}
		s.pass = Pass{}
	}
}

// over says that a step or begin is of a request that ended meanwhile: its
// outcome comes after its end.
func (s *State) over(e *core.Event) bool {
	return uint(e.Slot) < uint(len(s.left)) && s.left[e.Slot] == e.ID
}

func bit(slot int) uint64 {
	if slot < 0 || slot > 63 {
		return 0
	}
	return 1 << slot
}

func (s *State) tokens(e *core.Event, name string) {
	r := s.find(e, name)
	s.place(r, e.Slot)
	if r.Phase == Filling {
		r.Phase = Decoding
		s.filling--
	}
	gap := r.delivered(e.At, e.Tokens)
	stall := gap >= stallLeast && gap >= stallTimes*e.Wall
	if stall {
		s.LastStall = Stall{At: e.At, Gap: gap, Name: r.Name, ID: r.ID}
	}
	s.Total.delivered(e, gap, stall)
	s.Part.delivered(e, gap, stall)
	r.Emitted = e.Total
	if !r.HasFirst && e.Total == e.Tokens {
		r.HasFirst, r.First = true, e.At
		s.Total.Firsts += int64(e.Tokens)
		s.Part.Firsts += int64(e.Tokens)
		if r.Prompt > 0 {
			s.Total.TTFT.Add(e.At - r.Submitted)
			s.Part.TTFT.Add(e.At - r.Submitted)
		}
	}
	s.window(e, r, gap)
}

// window adds tokens to the round that gave them: the last one, if it ended
// now and nothing was done since.
func (s *State) window(e *core.Event, r *Request, gap core.Micros) {
	if s.Spans.Len() == 0 || s.Rounds.Len() == 0 {
		return
	}
	span := s.Spans.At(0)
	if span.Kind != core.EventRound || span.End != e.At {
		return
	}
	span.Slots |= bit(e.Slot)
	round := s.Rounds.At(0)
	round.Windows = append(round.Windows, Window{
		Slot: e.Slot, ID: e.ID, Name: r.Name, Drafts: e.Drafts, Kept: e.Kept, Tokens: e.Tokens, Gap: gap,
	})
	r.Rounds++
	r.Drafts += int64(e.Drafts)
	r.Kept += int64(e.Kept)
	s.chances.saw(e.Drafts, e.Kept)
}

func (s *State) ended(e *core.Event, name string, phase Phase) {
	r := s.find(e, name)
	over := s.Ended.Add()
	*over = *r
	if r.Slot >= 0 {
		for len(s.left) <= r.Slot {
			s.left = append(s.left, 0)
		}
		s.left[r.Slot] = r.ID
	}
	over.Phase, over.Ended, over.Reason, over.Emitted = phase, e.At, e.Reason, max(r.Emitted, e.Total)
	s.forget(r)
}

func (s *State) lost(e *core.Event, name string) {
	s.Total.Lost++
	s.Part.Lost++
	r := s.find(e, name)
	s.place(r, e.Slot)
	if r.Phase == Decoding {
		r.Phase = Filling
		s.filling++
	}
	r.Losses++
	r.Filled, r.Need = 0, e.Rows
}

// find gives the request of an event, known from now on if it was not.
func (s *State) find(e *core.Event, name string) *Request {
	r, ok := s.flight[e.ID]
	if !ok {
		return s.request(e, name)
	}
	if r.Name == "" {
		r.Name = name
	}
	return r
}

// request makes a request that is nowhere yet.
func (s *State) request(e *core.Event, name string) *Request {
	var r *Request
	if n := len(s.free); n > 0 {
		r = s.free[n-1]
		s.free = s.free[:n-1]
		*r = Request{}
	} else {
		r = &Request{}
	}
	r.ID, r.Name, r.Slot, r.place = e.ID, name, -1, -1
	r.Submitted = e.At
	s.flight[e.ID] = r
	return r
}
