package core

// Looks are passes that do not pay by what is known. They are charged what they
// are expected to lose to a budget that grows with the time of rounds, so that
// learning costs a bounded part of it.

const (
	// lookPart is the part of rounds' time that looks may lose, and mostLooks
	// the most that the budget holds, in passes. Both are larger for fewer
	// windows than doubtful, where drafts usually pay and not to draft takes
	// evidence.
	lookPart, lookPartFew   = 0.004, 0.006
	mostLooks, mostLooksFew = 4, 8
	doubtful                = 3
	// leastCharge is the least that a look is charged, as a part of its pass.
	leastCharge = 0.3
)

// allow lets the budget grow by the time of a round.
func (s *Scheduler) allow() {
	m := &s.meas
	n := len(s.round.streams)
	part, most := lookPart, mostLooks
	if n < doubtful {
		part, most = lookPartFew, mostLooksFew
	}
	limit := float64(float64(most) * s.passMillis(1, s.depthOf(n), 1, false))
	if !m.opened {
		m.opened, m.budget = true, limit
	}
	m.budget = min(m.budget+float64(part*s.roundMillis(Shape{n, n})), limit)
}

// spend takes milliseconds from the budget, if it covers them.
func (m *measured) spend(millis float64) bool {
	if millis > m.budget {
		return false
	}
	m.budget -= millis
	return true
}

// look asks for the stream that decoded plainly the longest, or for all of
// them, whatever is expected to lose less for each.
func (s *Scheduler) look() {
	m := &s.meas
	if len(m.wants) == 0 {
		return
	}
	oldest := m.wants[0]
	for _, w := range m.wants[1:] {
		if w.ask.CatchUp > oldest.ask.CatchUp ||
			w.ask.CatchUp == oldest.ask.CatchUp && w.ask.Slot < oldest.ask.Slot {
			oldest = w
		}
	}
	price := s.passMillis(1, s.depthOf(len(s.round.streams)), 1, false)
	one := max(price-oldest.worth/(m.going+m.claims), leastCharge*price)
	if n := len(m.wants); n > 1 {
		all := max(-s.togetherWorth()/m.going, leastCharge*price)
		if all < float64(one*float64(n)) && m.spend(all) {
			s.askFor(m.wants)
			return
		}
	}
	if m.spend(one) {
		s.action.Asks = append(s.action.Asks, oldest.ask)
	}
}
