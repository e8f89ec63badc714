package workload

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/random"
	"github.com/tfsim/tfsim/sim/scenario"
)

// gamma sends requests with independent gamma gaps, one before the first.
// The shape of the gaps is 1/cv².
type gamma struct {
	shape, scale float64
	stream       random.Sequence
	clock
}

var _ process = (*gamma)(nil)

func newGamma(a *scenario.Arrivals, seed uint64) *gamma {
	shape := 1 / float64(a.CV*a.CV)
	return &gamma{shape: shape, scale: 1 / float64(shape*a.Rate), stream: random.New(seed, "arrivals").Sub(0).Sequence()}
}

func (g *gamma) next() core.Micros { return g.add(g.stream.Gamma(g.shape) * g.scale) }
