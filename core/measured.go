package core

// The measured rule. A plan is worth E[tokens] − λ·E[ms], where λ is the
// long-run rate of rounds of so many streams. A pass is worth what it lets the
// depth rule choose afterwards, so each stream keeps what its passes were
// worth; asks whose worth covers the pass are made. Others ask now and then,
// within a budget of their rounds' time.

const (
	// paceDecay forgets rounds in the long-run rate.
	paceDecay = 0.97
	// firstCount, freshCount and staleCount are how many passes a stream's
	// worth counts for when nothing is known of any, when others have shown
	// what passes are worth, and after plain rounds.
	firstCount = 3
	freshCount = 6
	staleCount = 3
	// staleRounds is after how many plain rounds a stream's worth is stale.
	staleRounds = 8
	// ahead is by how much asks of a shared round have to beat their price:
	// choosing the best of many noisy plans flatters it.
	ahead = 1.06
	// firstPasses is how many passes the engine makes before it judges any.
	firstPasses = 6
)

// measured is the rule's state of the engine.
type measured struct {
	costs   costs
	chances keptBins
	pace    []pace // by windows
	// worth is the mean surplus of passes over all streams: what a new one is
	// taken for.
	worth  float64
	passes int
	// going is the rate of the round at hand, claims what a millisecond costs
	// the streams that are behind; both in tokens a millisecond.
	going, claims float64
	// budget is the milliseconds that may be lost to learning.
	budget float64
	opened bool
	// stepwise says that a pass makes drafts one after another, so that its
	// price goes by their depth.
	stepwise bool
	took     Micros // of the coming round's pass
	wants    []want
}

// pace is tokens and milliseconds of recent rounds of so many windows.
type pace struct {
	tokens, millis float64
	rounds         int
	// depth is how deep asks are, where that is in their price.
	depth int
	// together is the surplus of passes that all windows asked for.
	together mean
}

// measuredAsks keeps the asks that pay, or a look.
func (s *Scheduler) measuredAsks() {
	m := &s.meas
	m.costs.init()
	oracle := s.cfg.Rule == RuleOracle
	if oracle {
		s.foreseeAll()
	} else {
		s.allow()
	}
	s.weighClaims()
	m.going = s.going(len(s.round.streams))
	m.wants = m.wants[:0]
	for _, a := range s.action.Asks {
		m.wants = append(m.wants, want{ask: a})
	}
	s.action.Asks = s.action.Asks[:0]
	s.chooseDepth()
	s.judge()
	if !oracle && s.plainIsUnknown() || s.onlyPlainIsFair() {
		return
	}
	s.payingAsks()
	if len(s.action.Asks) == 0 && !oracle {
		s.look()
	}
}

// judge says what the wants are worth.
func (s *Scheduler) judge() {
	m := &s.meas
	unknown := false
	for k := range m.wants {
		w := &m.wants[k]
		st := &s.streams[s.slots[w.ask.Slot]]
		s.keepDepth(st)
		w.worth, w.hope = st.worth.surplus.value, st.worth.surplus.hopeful()
		w.claim = st.worth.claimed(st.claim, 1+m.claims/m.going)
		switch {
		case s.cfg.Rule == RuleOracle:
			w.hope = w.worth
		case st.worth.passes == 0 && m.passes >= firstPasses:
			w.worth, w.hope = m.worth, m.worth
		case st.worth.passes == 0 && !unknown:
			// Nothing is known yet: one stream at a time has a look.
			w.worth, w.hope, unknown = 1e6, 1e6, true
		}
	}
}
