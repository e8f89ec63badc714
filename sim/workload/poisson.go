package workload

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/random"
	"github.com/tfsim/tfsim/sim/scenario"
)

// poisson sends requests with independent exponential gaps, one before the
// first.
type poisson struct {
	rate   float64
	stream random.Sequence
	clock
}

var _ process = (*poisson)(nil)

func newPoisson(a *scenario.Arrivals, seed uint64) *poisson {
	return &poisson{rate: a.Rate, stream: random.New(seed, "arrivals").Sub(0).Sequence()}
}

func (p *poisson) next() core.Micros { return p.add(p.stream.Exp() / p.rate) }
