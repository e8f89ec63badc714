package sim

import (
	"errors"

	"github.com/tfsim/tfsim/core"
)

// endOfTime bounds a run's virtual time, at some 300 years: sums and
// percentiles of what is below it cannot overflow.
const endOfTime core.Micros = 1e16

var errEndOfTime = errors.New("sim: the run takes over 300 years; its costs or lengths cannot be meant")

// spent is a span as a whole number, at most all there is.
func spent(micros float64) core.Micros {
	return core.Micros(min(micros, float64(endOfTime)) + 0.5)
}

// later is the time that a span ends, just beyond the end of time at most.
func later(at, span core.Micros) core.Micros { return min(at+span, endOfTime+1) }
