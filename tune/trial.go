package tune

import (
	"cmp"
	"math"
)

// trial is a candidate and what it gave.
type trial struct {
	point Point
	// place is the order in which candidates came up.
	place int
	// samples are those of the search, by seed from the first on; settled
	// those by which the winner is made plain; fresh those of the answer. Each
	// kind has seeds of its own.
	samples, settled, fresh []Sample
	// twin is an earlier candidate that plays alike.
	twin *trial
}

// cost is the mean of an objective over the first n seeds.
func cost(samples []Sample, objective int) float64 {
	sum := 0.0
	for i := range samples {
		sum += samples[i].Costs[objective]
	}
	return sum / float64(len(samples))
}

// violation is by how much the constraints are broken on average, each in
// parts of its bound; 0 if they hold.
func violation(samples []Sample) float64 {
	total := 0.0
	for part := range samples[0].Parts {
		excess, bound := 0.0, 0.0
		for i := range samples {
			excess += samples[i].Parts[part].Excess
			bound += math.Abs(samples[i].Parts[part].Bound)
		}
		// What rounding leaves of an equality breaks nothing.
		if excess > float64(1e-12*bound) {
			total += excess / max(bound, 1e-9)
		}
	}
	return total
}

// standing is what candidates are ordered by.
type standing struct {
	broken float64
	cost   float64
}

func stand(samples []Sample) standing { return standing{violation(samples), cost(samples, 0)} }

func (s standing) compare(o standing) int {
	return cmp.Or(cmp.Compare(s.broken, o.broken), cmp.Compare(s.cost, o.cost))
}

// holds says that the constraints hold and the objective has a figure.
func (s standing) holds() bool { return s.broken == 0 && !math.IsInf(s.cost, 0) }

// before orders trials by their first n seeds; of equals the plainer comes
// first, then the earlier.
func before(n int) func(a, b *trial) int {
	return func(a, b *trial) int {
		return cmp.Or(
			stand(a.samples[:n]).compare(stand(b.samples[:n])),
			cmp.Compare(a.point.Set(), b.point.Set()),
			cmp.Compare(a.place, b.place))
	}
}

// difference is by how much a costs more than b, on the seeds of both.
func (c confidence) difference(a, b []Sample) Estimate { return c.differenceIn(0, a, b) }

// differenceIn is the difference in one objective.
func (c confidence) differenceIn(objective int, a, b []Sample) Estimate {
	return c.estimate(min(len(a), len(b)), func(i int) float64 {
		x, y := a[i].Costs[objective], b[i].Costs[objective]
		if math.IsInf(x, 0) && math.IsInf(y, 0) {
			return 0
		}
		return x - y
	})
}

// clear says that b is worse than a beyond the noise, or plays alike.
func (c confidence) clear(a, b []Sample) bool {
	n := min(len(a), len(b))
	sa, sb := stand(a[:n]), stand(b[:n])
	if sa.holds() != sb.holds() {
		return sa.holds()
	}
	if !sa.holds() {
		return sa.broken < sb.broken
	}
	d := c.difference(b, a)
	return d.Low > 0 || d.Low == 0 && d.High == 0
}
