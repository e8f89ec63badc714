package core

// earlyPass is what a stream's passes launched early were worth: the share of
// them that fitted what was kept, decayed by 0.8.
type earlyPass struct {
	hits  float64
	round int64 // number of the round whose early pass holds this stream's drafts
}

func newEarlyPass() earlyPass { return earlyPass{hits: 1, round: -1} }

// launchesEarly says that the next pass is launched with this round: all its
// drafted windows hit often enough, or it is an eighth round, and the next
// round is not to run plain.
func (s *Scheduler) launchesEarly() bool {
	if !s.cfg.LaunchEarly || s.plain() || !s.asksAgain() {
		return false
	}
	drafted, often := false, true
	for k := range s.action.Windows {
		w := &s.action.Windows[k]
		if w.Drafts > 0 {
			drafted = true
			often = often && s.streams[s.slots[w.Slot]].early.hits >= 0.3
		}
	}
	return drafted && (often || s.round.number%8 == 7)
}

// asksAgain says that the rule is likely to ask for the drafted windows'
// slots again. The priced rules decide that only with the next round's rows
// known, so they launch nothing early.
func (s *Scheduler) asksAgain() bool {
	switch s.cfg.Rule {
	case RulePriced1, RulePriced2:
		return false
	case RuleMeasured, RuleOracle:
		return s.paysAgain()
	default:
		return true
	}
}

// noteEarly keeps what came of the pass launched with a round, for one of its
// drafted windows.
func (s *Scheduler) noteEarly(st *stream, hit bool) {
	value := 0.0
	if hit {
		value = 1
		st.early.round = s.round.number
	}
	st.early.hits = float64(0.8*st.early.hits) + float64(0.2*value)
}

// earlyFits says that the pass launched early holds exactly the asks.
func (s *Scheduler) earlyFits() bool {
	if s.round.early != len(s.action.Asks) {
		return false
	}
	for k := range s.action.Asks {
		i := s.slots[s.action.Asks[k].Slot]
		if s.streams[i].early.round != s.round.number {
			return false
		}
	}
	return true
}
