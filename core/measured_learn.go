package core

// tookPass notes what the coming round's pass took.
func (s *Scheduler) tookPass(took Micros) {
	if s.cfg.Rule != RuleMeasured && s.cfg.Rule != RuleOracle {
		return
	}
	kind := 0
	if s.action.Early {
		kind = 1
	}
	asks := len(s.action.Asks)
	s.meas.took = took
	s.meas.costs.init()
	s.meas.costs.sawPass(s.passPrice(asks, s.catchUps()), asks, kind, took)
}

// learnMeasured closes a round into costs, chances, paces and credits.
func (s *Scheduler) learnMeasured(o *Outcome, rows, tokens int) {
	m := &s.meas
	windows := s.action.Windows
	n := len(windows)
	m.costs.init()
	shape := Shape{n, rows}
	m.costs.sawRound(s.cfg.Prices.Round(shape), shape, o.Device)
	took := float64(float64(o.Device+m.took) / 1000)
	m.took = 0
	p := s.paceOf(n)
	p.tokens = float64(p.tokens*paceDecay) + float64(tokens)
	p.millis = float64(p.millis*paceDecay) + took
	p.rounds++
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

func (s *Scheduler) sawDraft(st *stream, j int, hit bool) {
	score := st.score[j]
	expected := s.meas.chances.of(j, score, s.calib.chance(j, score))
	s.meas.chances.note(j, score, hit)
	st.trust.note(expected, hit)
}
