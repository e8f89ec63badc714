package core

import "math"

// mean is a running mean of noisy values that forgets what came before a turn.
type mean struct {
	value float64
	// variance is of one value about the mean, count how many in a row speak
	// for it.
	variance, count float64
	// recent is the mean of the last values.
	recent float64
}

const (
	// longCount is how many values a mean remembers.
	longCount = 96
	// recentShare is the weight of a value in the recent mean, and turned how
	// many of its deviations that is off when a text has turned; turnedCount
	// is what the recent mean counts for then.
	recentShare = 1.0 / 12
	turned      = 3
	turnedCount = 4
	// firstVariance is the variance of a value before any was seen, and
	// varianceCount how many values that counts for.
	firstVariance = 1.0
	varianceCount = 4
	// hope is how many standard errors a mean is given the benefit of.
	hope = 1.0
)

// start is a mean that counts for so many values.
func (m *mean) start(value, count float64) { m.value, m.count = value, count }

// note takes one more value.
func (m *mean) note(value float64) {
	m.count = min(m.count+1, longCount)
	off := value - m.value
	m.value += off / m.count
	if m.count <= 1/recentShare {
		m.recent = m.value
	}
	m.recent += float64(recentShare * (value - m.recent))
	away := m.recent - m.value
	if m.count >= 1/recentShare && float64(away*away) > float64(turned*turned*m.variance*recentShare/(2-recentShare)) {
		m.value, m.count = m.recent, turnedCount
	}
	m.variance += (float64(off*off) - m.variance) / (m.count + varianceCount)
}

// move adds to the mean and lets it count for no more than so many values.
func (m *mean) move(by, count float64) {
	m.value += by
	m.recent += by
	m.count = min(m.count, count)
}

// hopeful is what it may well be: the mean and its standard error. Stopping
// takes evidence, so that a poor start does not end drafting.
func (m *mean) hopeful() float64 {
	variance := max(m.variance, firstVariance/(m.count+1))
	return m.value + float64(hope*math.Sqrt(variance/(m.count+1)))
}
