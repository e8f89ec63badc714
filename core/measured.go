package core

// The measured rule. A plan is worth E[tokens] − λ·E[ms], where λ is the
// long-run rate of rounds of so many streams. A pass is worth what it lets the
// depth rule choose afterwards, so each stream keeps what its passes were
// worth; asks whose worth covers the pass are made. Plain streams ask now and
// then, within a budget of their rounds' time.

const (
	// probeBudget is the part of plain rounds' time that passes may take to
	// see whether drafting pays again.
	probeBudget = 0.004
	// fairPart is the part of what plain rounds would give that each stream
	// keeps when others are drafted for.
	fairPart = 0.92
	// creditLow and creditSlack are how many tokens a stream may fall behind
	// that part before no plan may leave it out: some, and some for each token
	// of its reply.
	creditLow   = 1.5
	creditSlack = 0.015
	// paceDecay forgets rounds in the long-run rate.
	paceDecay = 0.97
	// freshCount and staleCount are how many passes a stream's worth counts
	// for at its start, when others have shown what passes are worth, and
	// after plain rounds.
	freshCount = 6
	staleCount = 3
	// staleRounds is after how many plain rounds a stream's worth is stale.
	staleRounds = 8
	// ahead is by how much asks of a shared round have to beat their price:
	// choosing the best of many noisy plans flatters it.
	ahead = 1.06
	// mostBudget is the most that the budget holds, in passes.
	mostBudget = 4
	// guess is the chance of a draft of a text that nothing is known of.
	guess = 0.7
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
	// claims is what a millisecond costs the streams that are behind.
	claims float64
	// budget is the milliseconds that may be lost to learning.
	budget float64
	opened bool
	took   Micros // of the coming round's pass
	probe  bool   // the coming round's pass is a probe
	wants  []want
}

// want is one ask under judgement.
type want struct {
	ask Ask
	// worth is the mean surplus of the stream's passes, hope what it may well
	// be.
	worth, hope, claim float64
	// behind says that the stream has fallen behind its fair part: no plan
	// may leave it out.
	behind bool
}

// pace is tokens and milliseconds of recent rounds of so many windows.
type pace struct {
	tokens, millis float64
	rounds         int
	// together is the mean surplus of passes that all windows asked for, all
	// of them in one, and count how many speak for it.
	together, count float64
}

// measuredAsks keeps the asks that pay, or one probe.
func (s *Scheduler) measuredAsks() {
	m := &s.meas
	m.costs.init()
	m.probe = false
	windows := len(s.round.streams)
	if s.cfg.Rule == RuleOracle {
		s.foreseeAll()
	}
	s.weighClaims()
	lambda := s.going(windows) + m.claims
	m.wants = m.wants[:0]
	unknown := false
	for _, a := range s.action.Asks {
		st := &s.streams[s.slots[a.Slot]]
		claimed := st.worth.claimed(st.claim, lambda/(lambda-m.claims))
		w := want{a, st.worth.surplus, st.worth.hopeful(), claimed, windows > 1 && st.behind()}
		switch {
		case s.cfg.Rule == RuleOracle:
			w.hope = w.worth
		case st.worth.passes == 0 && m.passes >= firstPasses:
			w.worth, w.hope = m.worth, m.worth
		case st.worth.passes == 0 && !unknown:
			// Nothing is known yet: one stream at a time has a look.
			w.worth, w.hope, unknown = 1e6, 1e6, true
		}
		m.wants = append(m.wants, w)
	}
	blocked := windows > 1 && s.someBehind()
	s.action.Asks = s.action.Asks[:0]
	if s.cfg.Rule == RuleOracle {
		if !blocked {
			s.payingAsks(lambda)
		}
		return
	}
	most, part := float64(mostBudget*s.passMillis(1, 1, false)), probeBudget
	if windows < 3 {
		most, part = float64(2*most), float64(1.5*part)
	}
	if !m.opened {
		m.opened, m.budget = true, most
	}
	m.budget = min(m.budget+float64(part*s.roundMillis(Shape{windows, windows})), most)
	if blocked {
		return
	}
	s.payingAsks(lambda)
	if len(s.action.Asks) == 0 {
		s.probeOne(lambda)
	}
}
