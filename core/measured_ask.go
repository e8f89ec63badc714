package core

import "slices"

// payingAsks takes the wants of most worth, as many as pay for their pass; or,
// where none does by the mean, as many as may well pay, if the budget covers
// what that is expected to lose.
func (s *Scheduler) payingAsks(lambda float64) {
	m := &s.meas
	best, value, _ := s.bestAsks(lambda, func(w want) float64 { return w.worth })
	together := -1.0
	if len(m.wants) > 1 {
		together = s.togetherValue(lambda - m.claims)
	}
	if best < len(m.wants) && together > 0 && together+s.claimedTogether() > value {
		// Where rows are nearly free once the first few are paid, asks pay
		// together that do not pay one by one.
		best = len(m.wants)
	}
	if best == 0 {
		var lost float64
		best, _, lost = s.bestAsks(lambda, func(w want) float64 { return w.hope })
		if best == 0 || lost/lambda > m.budget {
			return
		}
		m.budget -= lost / lambda
	}
	for _, w := range m.wants[:best] {
		s.action.Asks = append(s.action.Asks, w.ask)
	}
	s.orderAsks()
}

// bestAsks puts the wants of most value first and says how many of them pay
// the most for one pass, 0 if none do, how much that is, and the tokens that
// they are expected to lose by the mean.
func (s *Scheduler) bestAsks(lambda float64, value func(want) float64) (best int, most, lost float64) {
	wants := s.meas.wants
	slices.SortFunc(wants, func(a, b want) int {
		switch x, y := value(a)+a.claim, value(b)+b.claim; {
		case a.behind != b.behind:
			if a.behind {
				return -1
			}
			return 1
		case x > y:
			return -1
		case x < y:
			return 1
		default:
			return a.ask.Slot - b.ask.Slot
		}
	})
	sum, claims, mean, catchUps := 0.0, 0.0, 0.0, 0
	going := lambda - s.meas.claims
	for k := range wants {
		sum += value(wants[k])
		claims += wants[k].claim
		mean += wants[k].worth
		if wants[k].ask.CatchUp > 0 {
			catchUps++
		}
		price := s.askPrice(lambda, k+1, catchUps)
		plain := s.askPrice(going, k+1, catchUps)
		if sum+claims-price > most && sum > plain && (k+1 == len(wants) || !wants[k+1].behind) {
			best, most, lost = k+1, sum+claims-price, max(plain-mean, 0)
		}
	}
	return best, most, lost
}

// togetherValue is what one pass over all wants would be worth with the gains
// that their passes had in the mean, its price taken off; 0 where it does not
// pay, or not all of them are known.
func (s *Scheduler) togetherValue(lambda float64) float64 {
	wants := s.meas.wants
	gains := s.joint.gains[:0]
	catchUps := 0
	for k := range wants {
		st := &s.streams[s.slots[wants[k].ask.Slot]]
		known := st.worth.passes > 0
		chain := 1.0
		if wants[k].ask.CatchUp > 0 {
			catchUps++
		}
		for j := range wants[k].ask.Depth {
			chain = float64(chain * guess)
			if known {
				chain = st.worth.gains[j]
			}
			gains = append(gains, gain{chain, int32(k), int32(len(gains))})
		}
	}
	s.joint.gains = gains
	sortGains(gains)
	n := len(s.round.streams)
	none := s.roundMillis(Shape{n, n})
	best, sum := 0.0, 0.0
	for m := 1; m <= min(len(gains), max(s.rowsMost()-n, 0)); m++ {
		sum += gains[m-1].value
		best = max(best, sum-float64(lambda*(s.roundMillis(Shape{n, n + m})-none)))
	}
	// What such passes were worth says more than mean gains, which leave out
	// that each round chooses its depths anew.
	if n < len(s.meas.pace) && s.meas.pace[n].count >= staleCount && len(wants) == n {
		best = max(best, s.meas.pace[n].together)
	}
	return best - s.askPrice(lambda, len(wants), catchUps)
}

// claimedTogether is what one pass over all wants is worth beyond that to the
// streams that are behind.
func (s *Scheduler) claimedTogether() float64 {
	wants := s.meas.wants
	sum, catchUps := 0.0, 0
	for k := range wants {
		sum += wants[k].claim
		if wants[k].ask.CatchUp > 0 {
			catchUps++
		}
	}
	return sum - s.askPrice(s.meas.claims, len(wants), catchUps)
}

// paysAgain says that one more pass over the drafted windows would pay by the
// mean.
func (s *Scheduler) paysAgain() bool {
	windows := s.action.Windows
	sum, asks := 0.0, 0
	for k := range windows {
		if windows[k].Drafts > 0 {
			st := &s.streams[s.slots[windows[k].Slot]]
			going := s.going(len(windows))
			sum += st.worth.surplus + st.worth.claimed(st.claim, (going+s.meas.claims)/going)
			asks++
		}
	}
	return asks > 0 && sum > float64((s.going(len(windows))+s.meas.claims)*s.runMillis(asks, 0))
}

// orderAsks puts the asks in admission order.
func (s *Scheduler) orderAsks() {
	slices.SortFunc(s.action.Asks, func(a, b Ask) int {
		return compare(s.streams[s.slots[a.Slot]].seq, s.streams[s.slots[b.Slot]].seq)
	})
}

// fairTogether says that a stream keeps its fair part of plain rounds where all
// windows draft alike, by its mean gains.
func (s *Scheduler) fairTogether(st *stream) bool {
	n := len(s.round.streams)
	plain, pass := s.roundMillis(Shape{n, n}), s.runMillis(n, 0)
	tokens := 1.0
	for d := 1; d <= min(s.cfg.Block, maxDepth) && n*(d+1) <= s.rowsMost(); d++ {
		tokens += st.worth.gains[d-1]
		if float64(tokens*plain) >= float64(fairPart*(s.roundMillis(Shape{n, n * (d + 1)})+pass)) {
			return true
		}
	}
	return false
}

// probeOne asks for the stream that decoded plainly the longest, if the budget
// allows it.
func (s *Scheduler) probeOne(lambda float64) {
	m := &s.meas
	oldest := -1
	for k := range m.wants {
		if oldest < 0 || m.wants[k].ask.CatchUp > m.wants[oldest].ask.CatchUp ||
			m.wants[k].ask.CatchUp == m.wants[oldest].ask.CatchUp && m.wants[k].ask.Slot < m.wants[oldest].ask.Slot {
			oldest = k
		}
	}
	if oldest < 0 {
		return
	}
	// A look is expected to lose what the pass costs beyond what it is worth.
	price := s.passMillis(1, 1, false)
	lost := max(price-m.wants[oldest].worth/lambda, 0.15*price)
	if n := len(m.wants); n > 1 {
		if all := max(-s.togetherValue(lambda-m.claims)/(lambda-m.claims), 0.15*price); all < lost*float64(n) && all < m.budget {
			m.budget -= all
			m.probe = true
			for _, w := range m.wants {
				s.action.Asks = append(s.action.Asks, w.ask)
			}
			s.orderAsks()
			return
		}
	}
	if m.budget < lost {
		return
	}
	m.budget -= lost
	m.probe = true
	s.action.Asks = append(s.action.Asks, m.wants[oldest].ask)
}

// behind says that a stream has fallen behind its fair part of plain rounds by
// more than chance explains.
func (st *stream) behind() bool {
	return st.credit < -st.allowance()
}

// someBehind says that a stream is behind that cannot ask, or whose drafts do
// not even pay it for the time of its own pass: then only plain rounds are fair
// to it.
func (s *Scheduler) someBehind() bool {
	n := len(s.round.streams)
	part := s.runMillis(1, 0) / s.roundMillis(Shape{n, n})
	for _, i := range s.round.streams {
		if st := &s.streams[i]; st.behind() &&
			(st.req.NoDraft || st.room() < 1 || st.worth.passes > 0 && st.worth.surplus < part && !s.fairTogether(st)) {
			return true
		}
	}
	return false
}
