package core

// tookPass notes what the coming round's pass took.
func (s *Scheduler) tookPass(took Micros) {
	if s.cfg.Rule != RuleMeasured && s.cfg.Rule != RuleOracle {
		return
	}
	a, c := AskedBy(s.action.Asks), &s.meas.costs
	s.meas.took = took
	c.init()
	kind := s.passKind(a.Depth, s.action.Early)
	if rounds := a.Rounds; s.meas.stepwise && rounds > 0 {
		late := s.believedLate(&a)
		a.CatchUps, a.Rounds = 0, 0
		beyond := float64(took)/1000 - c.pass(s.askedPrice(a), a.Asks, kind)
		c.sawIngest(beyond/float64(rounds), late/float64(rounds))
		// What was read besides drafting never made it shorter.
		if beyond > 0 {
			return
		}
	}
	c.sawPass(s.askedPrice(a), a.Asks, kind, took)
}

// learnMeasured closes a round into costs, chances, paces and credits.
func (s *Scheduler) learnMeasured(o *Outcome, tokens int) {
	m := &s.meas
	windows := s.action.Windows
	n := len(windows)
	m.costs.init()
	took := float64(float64(o.Device+m.took) / 1000)
	m.took = 0
	if whole(o.Slots) {
		s.sawLaidOut(o.Device)
		p := s.paceOf(n)
		p.tokens = float64(p.tokens*paceDecay) + float64(tokens)
		p.millis = float64(p.millis*paceDecay) + took
		p.rounds++
	}
	plains := took / s.roundMillis(Shape{n, n})
	for k := range windows {
		w, end := &windows[k], &o.Slots[k]
		i, ok := s.at(w.Slot, w.ID)
		if !ok || end.Status != OK {
			continue
		}
		st := &s.streams[i]
		st.earn(end.Emitted, plains)
		st.worth.stale++
		if w.Held == 0 {
			continue
		}
		st.worth.stale = 0
		if w.Drafts == 0 {
			s.sawDraft(st, 0, end.Matched)
		}
		for j := range min(w.Drafts, end.Kept+1) {
			s.sawDraft(st, j, j < end.Kept)
		}
	}
}

// whole says that nothing went wrong with any window: what a round took tells
// nothing else of the work.
func whole(slots []SlotOutcome) bool {
	for k := range slots {
		if slots[k].Status != OK {
			return false
		}
	}
	return true
}

// sawLaidOut learns what the action's windows took.
func (s *Scheduler) sawLaidOut(took Micros) {
	s.layOut()
	l, c := &s.joint.layout, &s.meas.costs
	if shape, ok := l.one(s.cfg.Packing); ok {
		c.sawRound(s.cfg.Prices.Round(shape), shape, took)
		return
	}
	c.sawSplit(s.splitMillis(l), took)
}

func (s *Scheduler) sawDraft(st *stream, j int, hit bool) {
	score := st.score[j]
	expected := s.meas.chances.of(j, score, s.calib.chance(j, score))
	s.meas.chances.note(j, score, hit)
	st.trust.note(expected, hit)
}
