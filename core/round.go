package core

import "slices"

// round is the round being made: opened by choosing its streams, drafted by a
// pass, then verified.
type round struct {
	number  int64
	streams []int32 // in admission order
	ids     []ID    // of streams: one that ended meanwhile is skipped
	ready   bool    // opened and not yet verified
	drafted bool    // a pass ran for it
	early   int     // asks held by the pass that the last round launched early
}

func (r *round) open() bool { return r.ready }

// openRound chooses the streams of the next round and asks the drafter for
// their drafts, or verifies at once where the round runs plain.
func (s *Scheduler) openRound(now Micros) {
	r := &s.round
	r.ready, r.drafted = true, false
	s.meas.took = 0
	s.takeTurns()
	r.ids = r.ids[:0]
	for _, i := range r.streams {
		r.ids = append(r.ids, s.streams[i].req.ID)
	}
	if s.plain() || !s.askDrafts() {
		s.verify(now)
	}
}

// takeTurns fills round.streams: all decoding streams, or, when they do not
// fit a round, those served longest ago (ties in admission order). The first
// is always taken.
func (s *Scheduler) takeTurns() {
	r := &s.round
	r.streams = r.streams[:0]
	for _, i := range s.admitted {
		if s.streams[i].phase == decoding {
			r.streams = append(r.streams, i)
		}
	}
	most := len(r.streams)
	for _, bound := range [...]int{s.cfg.RoundStreams, s.cfg.RoundRows} {
		if bound > 0 {
			most = min(most, bound)
		}
	}
	if most == len(r.streams) {
		return
	}
	slices.SortStableFunc(r.streams, func(a, b int32) int {
		return compare(s.streams[a].served, s.streams[b].served)
	})
	r.streams = r.streams[:most]
	slices.SortFunc(r.streams, func(a, b int32) int {
		return compare(s.streams[a].seq, s.streams[b].seq)
	})
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	default:
		return 0
	}
}

// askDepth is the most drafts of an ask.
func (s *Scheduler) askDepth() int {
	return min(s.cfg.Block, s.cfg.DraftDepth, s.cfg.LaunchRows-1, maxDepth)
}

// askDrafts makes the pass action, and reports whether any stream drafts.
func (s *Scheduler) askDrafts() bool {
	most := s.askDepth()
	if most < 1 {
		return false
	}
	for _, i := range s.round.streams {
		st := &s.streams[i]
		if k := min(most, st.room()); k > 0 && !st.req.NoDraft {
			s.action.Asks = append(s.action.Asks, Ask{Slot: st.slot, ID: st.req.ID, Depth: k, CatchUp: st.plainSince, Unread: st.unread})
		}
	}
	if len(s.action.Asks) > 0 {
		s.chooseAsks()
	}
	if len(s.action.Asks) == 0 {
		return false
	}
	s.action.Kind = Pass
	s.action.Beside = true
	s.action.Early = s.earlyFits()
	return true
}

// donePass notes the confidences. After a failed pass the round runs plain.
func (s *Scheduler) donePass(now Micros, o *Outcome) {
	r := &s.round
	r.drafted = o.Status == OK
	s.share.ran(o.Wall)
	if o.Status == OK {
		s.tookPass(o.Device)
	}
	drafts, at := 0, 0
	for _, k := range s.action.Asks {
		drafts += k.Depth
		if o.Status != OK {
			continue
		}
		scores := o.Confidences[at : at+k.Depth]
		at += k.Depth
		if i, ok := s.at(k.Slot, k.ID); ok {
			st := &s.streams[i]
			st.held = copy(st.score[:], scores)
			st.plainSince, st.unread = 0, false
		}
	}
	s.emit(Event{At: now, Kind: EventPass, Slot: -1, Rows: drafts, Windows: len(s.action.Asks), Wall: o.Wall, Device: o.Device,
		Price: s.expectPass(), Owed: s.Owed(), Beside: true, Reason: reason(o.Status)})
}

// verify makes the round's action: one window for each of its streams that is
// still there, with the drafts that the depth rule gives it.
func (s *Scheduler) verify(now Micros) {
	r := &s.round
	kept := r.streams[:0]
	for k, i := range r.streams {
		if st := &s.streams[i]; st.phase == decoding && st.req.ID == r.ids[k] {
			kept = append(kept, i)
		}
	}
	r.streams = kept
	if len(kept) == 0 {
		// Every stream of the round was cancelled during its pass.
		r.ready = false
		s.decide(now)
		return
	}
	s.action.Kind = Round
	s.action.Beside = true
	for _, i := range kept {
		st := &s.streams[i]
		s.action.Windows = append(s.action.Windows, Window{
			Slot: st.slot, ID: st.req.ID, Held: st.held, Position: st.req.Prompt + st.emitted - 1,
		})
	}
	switch {
	case r.drafted:
		s.depths()
	case s.cfg.Drafts && (s.cfg.Rule == RuleMeasured || s.cfg.Rule == RuleOracle):
		s.pad() // plain rounds too take the cheapest shape
	}
	if !s.apart() {
		s.action.Launches = pack(s.action.Windows, s.cfg.LaunchRows, s.action.Launches)
	}
	s.action.LaunchEarly = s.launchesEarly()
}

// pack puts windows in order, each whole, into launches of at most most rows,
// and gives the number of windows in each launch.
func pack(windows []Window, most int, launches []int) []int {
	rows, n := 0, 0
	for _, w := range windows {
		if n > 0 && rows+w.Rows() > most {
			launches = append(launches, n)
			rows, n = 0, 0
		}
		rows += w.Rows()
		n++
	}
	return append(launches, n)
}

func (s *Scheduler) doneRound(now Micros, o *Outcome) {
	r := &s.round
	a := &s.action
	r.ready = false
	r.number++
	r.early = 0
	s.share.ran(o.Wall)
	s.share.rounds++
	s.budget, s.inRow = 0, 0
	e := Event{At: now, Kind: EventRound, Slot: -1, Windows: len(a.Windows), Launches: len(a.Launches),
		Wall: o.Wall, Device: o.Device, Owed: s.Owed(), Beside: true, Reason: reason(o.Status)}
	for k, w := range a.Windows {
		e.Rows += w.Rows()
		e.Drafts += w.Drafts
		if o.Status == OK && o.Slots[k].Status == OK {
			e.Kept += o.Slots[k].Kept
			e.Tokens += o.Slots[k].Emitted
		}
	}
	if s.cfg.Prices != nil && s.cfg.Sink != nil {
		e.Price = s.expectRound()
	}
	s.emit(e)
	if o.Status == OK && s.cfg.Drafts {
		s.learn(o, e.Rows, e.Tokens)
	}
	hit := o.Status == OK && o.EarlyHit
	for k := range a.Windows {
		w := &a.Windows[k]
		early := a.LaunchEarly && w.Drafts > 0
		if early && hit {
			r.early++
		}
		i, ok := s.at(w.Slot, w.ID)
		if !ok {
			continue // cancelled during the round: its tokens are dropped
		}
		st := &s.streams[i]
		st.served = r.number
		st.held = 0
		if early {
			s.noteEarly(st, hit)
		}
		if w.Held == 0 {
			if st.plainSince++; s.cfg.MostBehind > 0 {
				st.plainSince = min(st.plainSince, s.cfg.MostBehind)
			}
		}
		status := o.Status
		if status == OK {
			status = o.Slots[k].Status
		}
		switch status {
		case OK:
			st.losses = 0
			k := &o.Slots[k]
			st.unread = st.unread || w.Held > 0 && k.Kept == w.Held
			s.deliver(now, i, delivery{min(k.Emitted, st.req.Output-st.emitted), w.Drafts, k.Kept, o.Wall}, k.End)
		case Failed:
			s.end(now, i, EventFailed, "failed")
		case Lost:
			s.lost(now, i)
		}
	}
}
