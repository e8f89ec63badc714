package core

// admit gives lanes to waiting requests and reports whether that asked
// something of the device: a begin where a kept state may be restored, or a
// whole prompt when steps are off.
func (s *Scheduler) admit(now Micros) bool {
	if !s.admitMore() {
		return false
	}
	if !s.cfg.Steps {
		// A prompt that has its lane comes first: its begin is done, it was
		// cut short, or its state was lost.
		if i, ok := s.firstFilling(); ok {
			s.wholePrompt(i)
			return true
		}
	}
	for len(s.freeSlots) > 0 {
		i, ok := s.queue.pop(func(i int32) bool { return !s.waits(now, &s.streams[i]) })
		if !ok {
			return false
		}
		s.takeLane(now, i)
		if s.streams[i].req.Prefix != 0 {
			s.begin(i)
			return true
		}
		if !s.cfg.Steps {
			s.wholePrompt(i)
			return true
		}
	}
	return false
}

// admitMore bounds the whole prompts that run one after another while replies
// decode: at most one for each lane between two rounds, so that requests of
// one token each cannot starve a reply. Our choice; the modelled system has
// no bound.
func (s *Scheduler) admitMore() bool {
	return s.cfg.Steps || s.decoding == 0 || s.inRow < s.cfg.Lanes
}

// firstFilling finds the earliest admitted prompt that is not in.
func (s *Scheduler) firstFilling() (int32, bool) {
	if s.filling == 0 {
		return 0, false
	}
	for _, i := range s.admitted {
		if s.streams[i].phase == filling {
			return i, true
		}
	}
	return 0, false
}

// takeLane gives a waiting request the slot that was freed last.
func (s *Scheduler) takeLane(now Micros, i int32) {
	st := &s.streams[i]
	n := len(s.freeSlots) - 1
	st.slot = s.freeSlots[n]
	s.freeSlots = s.freeSlots[:n]
	s.slots[st.slot] = i
	st.seq, st.began = s.admitSeq, now
	s.admitSeq++
	st.untouched = true
	st.phase = filling
	s.filling++
	s.admitted = append(s.admitted, i)
	s.emit(Event{At: now, Kind: EventAdmitted, ID: st.req.ID, Slot: st.slot})
}

func (s *Scheduler) begin(i int32) {
	s.action.Kind = Begin
	s.action.Rows = s.streams[i].need
	s.use(i)
}

// use names the stream whose slot the action works on.
func (s *Scheduler) use(i int32) {
	st := &s.streams[i]
	s.action.Slot, s.action.ID = st.slot, st.req.ID
	s.action.First = st.untouched
	s.action.Beside = s.decoding > 0
	st.untouched = false
}

// doneBegin notes the rows a kept state gave. A failed restore fills from the
// start; at least one row is always left to run.
func (s *Scheduler) doneBegin(now Micros, o *Outcome) {
	a := &s.action
	rows := 0
	if o.Status == OK {
		rows = min(o.Rows, a.Rows-1)
	}
	s.emit(Event{At: now, Kind: EventBegin, ID: a.ID, Slot: a.Slot, Rows: rows, Wall: o.Wall, Device: o.Device,
		Owed: s.Owed(), Beside: a.Beside, Reason: reason(o.Status)})
	if i, ok := s.at(a.Slot, a.ID); ok {
		s.streams[i].filled, s.streams[i].restored = rows, rows
	}
}

// at finds the stream in a slot, if it is still the one that was meant.
func (s *Scheduler) at(slot int, id ID) (int32, bool) {
	i := s.slots[slot]
	if i < 0 || s.streams[i].req.ID != id {
		return 0, false
	}
	return i, true
}
