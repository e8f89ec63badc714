package workload

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/scenario"
)

// poisson sends requests with independent exponential gaps, one before the
// first.
type poisson struct {
	rate   float64
	stream Stream
	clock
}

var _ process = (*poisson)(nil)

func newPoisson(a *scenario.Arrivals, seed uint64) *poisson {
	return &poisson{rate: a.Rate, stream: NewStream(seed, "arrivals", 0)}
}

func (p *poisson) next() core.Micros { return p.add(p.stream.Exp() / p.rate) }
