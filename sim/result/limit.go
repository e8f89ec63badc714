package result

import "github.com/tfsim/tfsim/core"

// limit counts spans on either side of a bound, so that whether a percentile
// keeps the bound is known exactly without keeping the spans: the two values
// around the bound are all that an interpolation across it needs.
type limit struct {
	bound         core.Micros
	within, n     int64
	below, beyond core.Micros // the greatest within, the least beyond
}

func newLimit(bound core.Micros) limit { return limit{bound: bound, beyond: core.Never} }

func (l *limit) add(v core.Micros) {
	l.n++
	if v <= l.bound {
		l.within++
		l.below = max(l.below, v)
		return
	}
	l.beyond = min(l.beyond, v)
}

// keeps says that percentile p is at most the bound. It does without spans.
func (l *limit) keeps(p int) bool {
	if l.n == 0 {
		return true
	}
	low, hundredths := place(p, l.n)
	switch {
	case low >= l.within:
		return false
	case hundredths == 0 || low+1 < l.within:
		return true
	default:
		return between(l.below, l.beyond, hundredths) <= fine(l.bound)*finePerMicro
	}
}
