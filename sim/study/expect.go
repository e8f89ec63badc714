package study

import (
	"slices"

	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
)

// expect judges one expectation, or skips it where its case or arm was left
// out.
func (p *plan) expect(d *result.Document, e scenario.Expect) result.ExpectResult {
	c := result.Check{World: e.World, Case: e.Case, Arm: e.Arm, Request: e.Request, Metric: e.Metric, Of: e.Of}
	switch e.Bound.Kind {
	case scenario.Below:
		c.Below = &e.Bound.High
	case scenario.Above:
		c.Above = &e.Bound.Low
	default:
		c.Within = &[2]float64{e.Bound.Low, e.Bound.High}
	}
	out := func(wanted []string, name string) bool {
		return name != "" && len(wanted) > 0 && !slices.Contains(wanted, name)
	}
	switch {
	case out(p.opts.Cases, e.Case):
		return result.Skip(c, "the case was left out")
	case out(p.opts.Arms, e.Arm) || out(p.opts.Arms, e.Of):
		return result.Skip(c, "the arm was left out")
	}
	return result.Evaluate(d, c)
}
