package tune

import "slices"

const (
	// screen is the number of seeds by which twins are known.
	screen = 2
	// firstRung is the number of seeds that every candidate plays at least,
	// and fullRung the number that it plays if there is room.
	firstRung, fullRung = 4, 8
	// keepPart is the part of the candidates that plays on: one in so many.
	keepPart = 2
	// keepLeast is the number that plays on at least.
	keepLeast = 8
)

// race plays candidates with more and more seeds, fewer at each turn, up to
// most seeds. It gives those left, the leader first, and whether its interval
// clears the others or finds them as good.
func (p *pool) race(trials []*trial, most int) (left []*trial, cleared bool) {
	left = p.extend(trials, min(screen, most), searching)
	left = untwinned(left)
	// Half of the room is for the first rung.
	n := p.room() / max(1, 2*len(left))
	for n = min(max(n, firstRung), fullRung, most); ; n = min(2*n, most) {
		done := p.extend(left, n, searching)
		if len(done) == 0 {
			// The budget ended below this rung; what is there still counts.
			n = fewest(left)
			if n == 0 {
				return nil, false
			}
			slices.SortFunc(left, before(n))
			return left, false
		}
		left = done
		slices.SortFunc(left, before(n))
		rest := left[1:]
		if !slices.ContainsFunc(rest, func(t *trial) bool { return !p.settled(left[0].samples, t.samples) }) {
			return left, true
		}
		if n == most || p.room() == 0 {
			return left, false
		}
		keep := left[:min(len(left), max(keepLeast, len(left)/keepPart))]
		left = slices.DeleteFunc(slices.Clone(keep), func(t *trial) bool {
			return t != left[0] && strict.clear(left[0].samples, t.samples)
		})
	}
}

// settled says that more seeds would not change how b stands to the leader a:
// it is clearly worse, or as good within what matters.
func (p *pool) settled(a, b []Sample) bool {
	if sure.clear(a, b) {
		return true
	}
	n := min(len(a), len(b))
	x, y := stand(a[:n]), stand(b[:n])
	d := sure.difference(b, a)
	least := p.matters(x.cost, y.cost)
	return n >= firstRung && x.broken == y.broken && d.Low >= -least && d.High <= least
}

// fewest is the least number of samples of any trial.
func fewest(trials []*trial) int {
	least := 0
	for i, t := range trials {
		if i == 0 || len(t.samples) < least {
			least = len(t.samples)
		}
	}
	return least
}

// untwinned leaves out trials that play like an earlier or plainer one.
func untwinned(trials []*trial) []*trial {
	type trace [screen]uint64
	first := map[trace]*trial{}
	order := slices.Clone(trials)
	slices.SortStableFunc(order, func(a, b *trial) int { return a.point.Set() - b.point.Set() })
	for _, t := range order {
		var key trace
		for i := range min(screen, len(t.samples)) {
			key[i] = t.samples[i].Trace
		}
		if slices.Contains(key[:min(screen, len(t.samples))], 0) {
			continue
		}
		if other := first[key]; other != nil {
			t.twin = other
			continue
		}
		first[key] = t
	}
	return slices.DeleteFunc(slices.Clone(trials), func(t *trial) bool { return t.twin != nil })
}
