package workload

import (
	"strconv"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/scenario"
)

// process gives the times of an open workload: those that do not depend on
// how requests fare. Times do not decrease.
type process interface{ next() core.Micros }

// open sends requests at the times of a process.
type open struct {
	*maker
	times process
	// count and until bound the requests; 0 and Never are no bound.
	count int
	until core.Micros
	due   core.Micros
	sent  int
}

var _ Source = (*open)(nil)

// newProcess gives the times of arrivals, nil if they are of no open process.
func newProcess(a *scenario.Arrivals, seed uint64) process {
	switch a.Process {
	case scenario.Constant:
		return newConstant(a, seed)
	case scenario.Poisson:
		return newPoisson(a, seed)
	case scenario.Gamma:
		return newGamma(a, seed)
	}
	return nil
}

func newOpen(w *scenario.Workload, g *maker, times process) Source {
	o := &open{maker: g, times: times, count: w.Count, until: until(w)}
	o.advance()
	return o
}

// until is the end of a workload's sending.
func until(w *scenario.Workload) core.Micros {
	if w.Duration == 0 {
		return core.Never
	}
	return w.Duration
}

func (o *open) advance() {
	o.due = core.Never
	if o.count != 0 && o.sent == o.count {
		return
	}
	if at := o.times.next(); at < o.until {
		o.due = at
	}
}

func (o *open) Peek() core.Micros { return o.due }

func (o *open) Next() Arrival {
	if o.due == core.Never {
		panic("workload: Next without a due arrival")
	}
	a := o.request(uint64(o.sent))
	a.At, a.Index = o.due, o.sent
	o.sent++
	a.ID = "r" + strconv.Itoa(o.sent)
	o.advance()
	return a
}

func (o *open) Finished(int, core.Micros) {}

// clock adds up gaps in seconds to whole microseconds and carries what
// rounding leaves, so that the mean gap stays true at any rate. Times beyond
// what Micros can hold are core.Never.
type clock struct {
	now  core.Micros
	rest float64
}

func (c *clock) add(seconds float64) core.Micros {
	us := float64(seconds*1e6) + c.rest
	if us >= float64(core.Never-c.now) {
		return core.Never
	}
	whole := int64(us)
	c.rest = us - float64(whole)
	c.now += core.Micros(whole)
	return c.now
}
