package core

// Where rows are nearly free once the first few are paid, asks pay together
// that do not pay one by one.

// togetherWorth is what one pass over all wants would be worth with the gains
// that their passes had in the mean, its price taken off.
func (s *Scheduler) togetherWorth() float64 {
	m := &s.meas
	n := len(s.round.streams)
	best := s.meanWorth(s.depthOf(n))
	// What such passes were worth says more than mean gains, which leave out
	// that each round chooses its depths anew.
	if p := s.paceOf(n); p.together.count >= staleCount && len(m.wants) == n {
		best = max(best, p.together.value)
	}
	return best - s.askPrice(m.going, s.wanted())
}

// meanWorth is what one pass over all wants, at most so deep, would be worth
// with mean gains, before its price.
func (s *Scheduler) meanWorth(depth int) float64 {
	m := &s.meas
	gains := s.joint.gains[:0]
	for k := range m.wants {
		st := &s.streams[s.slots[m.wants[k].ask.Slot]]
		for j := range min(m.wants[k].ask.Depth, depth) {
			gains = append(gains, gain{st.worth.foreseen(j), int32(k), int32(len(gains))})
		}
	}
	s.joint.gains = gains
	sortGains(gains)
	n := len(s.round.streams)
	none := s.roundMillis(Shape{n, n})
	best, sum := 0.0, 0.0
	l := &s.joint.layout
	l.start(n)
	drafts := s.joint.low[:0]
	for range m.wants {
		drafts = append(drafts, 0)
	}
	s.joint.low = drafts
	for rows := 1; rows <= min(len(gains), max(s.rowsMost()-n, 0)); rows++ {
		g := gains[rows-1]
		sum += g.value
		drafts[g.window]++
		l.widen(drafts[g.window])
		best = max(best, sum-float64(m.going*(s.layoutMillis(l)-none)))
	}
	return best
}

// togetherClaim is what that pass is worth besides to streams that are behind.
func (s *Scheduler) togetherClaim() float64 {
	m := &s.meas
	sum := 0.0
	for k := range m.wants {
		sum += m.wants[k].claim
	}
	return sum - s.askPrice(m.claims, s.wanted())
}

// valueTogether keeps what a pass was worth that all windows asked for, given
// the drafts that the depth rule chose and what their rows cost, in tokens.
func (s *Scheduler) valueTogether(drafts int, paid float64) {
	windows := s.action.Windows
	n := len(windows)
	for k := range windows {
		if windows[k].Held == 0 {
			return
		}
	}
	value := -paid
	for _, g := range s.joint.gains[:drafts] {
		value += g.value / (1 + s.streams[s.slots[windows[g.window].Slot]].claim)
	}
	s.paceOf(n).together.note(value)
}

// wanted is what a pass over all wants is priced by.
func (s *Scheduler) wanted() Asked {
	wants := s.meas.wants
	a := Asked{Asks: len(wants)}
	for k := range wants {
		a.add(&wants[k].ask)
	}
	return a
}
