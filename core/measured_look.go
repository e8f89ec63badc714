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
	limit := float64(float64(most) * s.passMillis(Asked{Asks: 1, Depth: s.depthOf(n), CatchUps: 1, Rounds: 1}, false))
	if m.stepwise {
		// A look at a stream that decoded plainly for long reads all of it.
		late := 0
		for _, i := range s.round.streams {
			if st := &s.streams[i]; !st.req.NoDraft {
				late = max(late, st.plainSince)
			}
		}
		limit = max(limit, s.passMillis(Asked{Asks: 1, Depth: s.depthOf(n), CatchUps: 1, Rounds: late}, false))
	}
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
		if s.older(&w.ask, &oldest.ask) {
			oldest = w
		}
	}
	asked := Asked{Asks: 1, Depth: s.depthOf(len(s.round.streams)), CatchUps: 1, Rounds: 1}
	if m.stepwise {
		asked.Rounds = oldest.ask.CatchUp
	}
	price := s.passMillis(asked, false)
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

// older says that a slot decoded plainly for longer than another; ties go to
// the lower slot.
func (s *Scheduler) older(a, b *Ask) bool {
	if a.CatchUp != b.CatchUp {
		return a.CatchUp > b.CatchUp
	}
	if x, y := s.streams[s.slots[a.Slot]].worth.stale, s.streams[s.slots[b.Slot]].worth.stale; s.cfg.MostBehind > 0 && x != y {
		return x > y
	}
	return a.Slot < b.Slot
}
