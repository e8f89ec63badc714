package tune

import "slices"

// settleSeeds is the number of seeds by which the winner is made plain: its
// own figures on the search's seeds are the luckiest of many.
const settleSeeds = 64

// prune takes back, one by one, each setting that the winner does not need:
// without it the constraints hold as before and the figure is as good, within
// half of what matters, or within the noise and three times what matters.
// All is compared with the winner at the start, so that small losses do not
// add up.
func (s *search) prune() {
	origin := s.winner
	n := min(settleSeeds, s.room()/(4+2*origin.point.Set()))
	if n < screen || len(s.extend([]*trial{origin}, n, settling)) == 0 {
		return
	}
	for s.winner.point.Set() > 0 {
		var plainer []*trial
		for i, text := range s.winner.point {
			if text == "" {
				continue
			}
			if t := s.get(s.winner.point.With(i, "")); t != nil && t != s.winner && !slices.Contains(plainer, t) {
				plainer = append(plainer, t)
			}
		}
		plainer = slices.DeleteFunc(s.extend(plainer, n, settling), func(t *trial) bool {
			return !s.asGood(t.settled[:n], origin.settled[:n])
		})
		if len(plainer) == 0 {
			return
		}
		s.winner = slices.MinFunc(plainer, func(a, b *trial) int {
			if c := stand(a.settled[:n]).compare(stand(b.settled[:n])); c != 0 {
				return c
			}
			return a.point.Set() - b.point.Set()
		})
	}
}

// asGood says that one does without a loss what the other does, in every
// objective.
func (s *search) asGood(one, other []Sample) bool {
	x, y := stand(one), stand(other)
	if x.broken > y.broken || x.holds() != y.holds() {
		return false
	}
	for i := range one[0].Costs {
		least := s.matters(cost(one, i), cost(other, i))
		d := sure.differenceIn(i, one, other)
		if d.Mean > least/2 && (d.Low > 0 || d.Mean > 3*least) {
			return false
		}
	}
	return true
}
