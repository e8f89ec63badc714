package core

import "slices"

// want is one ask under judgement.
type want struct {
	ask Ask
	// worth is the mean surplus of the stream's passes, hope what it may well
	// be; claim is what a pass is worth besides if the stream is behind.
	worth, hope, claim float64
}

// payingAsks takes the wants of most worth, as many as pay for their pass; or,
// where none does by the mean, as many as may well pay, if the budget covers
// what that is expected to lose.
func (s *Scheduler) payingAsks() {
	m := &s.meas
	best, value, _ := s.bestAsks(func(w want) float64 { return w.worth })
	if best < len(m.wants) && len(m.wants) > 1 {
		if t := s.togetherWorth(); t > 0 && t+s.togetherClaim() > value {
			best = len(m.wants)
		}
	}
	if best == 0 {
		var lost float64
		best, _, lost = s.bestAsks(func(w want) float64 { return w.hope })
		if best == 0 || !m.spend(lost/(m.going+m.claims)) {
			return
		}
	}
	s.askFor(m.wants[:best])
}

// askFor makes the wants the round's asks, in admission order.
func (s *Scheduler) askFor(wants []want) {
	for k := range wants {
		s.action.Asks = append(s.action.Asks, wants[k].ask)
	}
	slices.SortFunc(s.action.Asks, func(a, b Ask) int {
		return compare(s.streams[s.slots[a.Slot]].seq, s.streams[s.slots[b.Slot]].seq)
	})
}

// bestAsks puts the wants of most value first and says how many of them pay
// the most for one pass, 0 if none do, how much that is, and the tokens that
// they are expected to lose by the mean.
func (s *Scheduler) bestAsks(value func(want) float64) (best int, most, lost float64) {
	m := &s.meas
	slices.SortFunc(m.wants, func(a, b want) int {
		switch x, y := value(a)+a.claim, value(b)+b.claim; {
		case x > y:
			return -1
		case x < y:
			return 1
		default:
			return a.ask.Slot - b.ask.Slot
		}
	})
	sum, claims, mean := 0.0, 0.0, 0.0
	var asked Asked
	for k := range m.wants {
		asked.Asks++
		asked.add(&m.wants[k].ask)
		sum += value(m.wants[k])
		claims += m.wants[k].claim
		mean += m.wants[k].worth
		price := s.askPrice(m.going, asked)
		net := sum + claims - s.askPrice(m.going+m.claims, asked)
		if sum > price && net > most {
			best, most, lost = k+1, net, max(price-mean, 0)
		}
	}
	return best, most, lost
}

// paysAgain says that one more pass over the drafted windows would pay by the
// mean.
func (s *Scheduler) paysAgain() bool {
	windows := s.action.Windows
	going := s.going(len(windows))
	lambda := going + s.meas.claims
	sum, asks := 0.0, 0
	for k := range windows {
		if windows[k].Drafts > 0 {
			st := &s.streams[s.slots[windows[k].Slot]]
			sum += st.worth.surplus.value + st.worth.claimed(st.claim, lambda/going)
			asks++
		}
	}
	return asks > 0 && sum > float64(lambda*s.runMillis(Asked{Asks: asks}))
}
