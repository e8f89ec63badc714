package workload

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/scenario"
)

// constant sends a request each 1/rate seconds, the first at 0.
type constant struct {
	rate float64
	n    int64
}

var _ process = (*constant)(nil)

func newConstant(a *scenario.Arrivals, _ uint64) *constant { return &constant{rate: a.Rate} }

func (c *constant) next() core.Micros {
	us := float64(float64(c.n)*1e6)/c.rate + 0.5
	c.n++
	if us >= float64(core.Never) {
		return core.Never
	}
	return core.Micros(us)
}
