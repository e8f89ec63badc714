package capacity

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tune"
	"github.com/tfsim/tfsim/tune/goal"
)

// Report is what was measured. docs/tuning.md describes its JSON.
type Report struct {
	Scenario string   `json:"scenario"`
	Machine  string   `json:"machine"`
	Targets  []string `json:"slo"`
	Results  []Entry  `json:"results"`
	Warnings []string `json:"warnings"`
	// Interrupted says that it has only what was done until then.
	Interrupted bool `json:"interrupted"`
}

// Entry is the capacity of a case in a world under an arm.
type Entry struct {
	World string `json:"world"`
	Case  string `json:"case"`
	Arm   string `json:"arm"`
	// Unit is "requests/s", "users" or, of a trace, "× speed".
	Unit string `json:"unit"`
	// Capacity is the mean over seeds of the highest load that held, CI95 its
	// interval, null with one seed.
	Capacity result.Num       `json:"capacity"`
	CI95     *result.Interval `json:"ci95"`
	Seeds    []result.Num     `json:"by_seed"`
	// AtLeast says that no limit was found with some seed: the capacity is
	// more.
	AtLeast bool `json:"at_least"`
	// Ratio is to the first arm; RatioCI95 its interval, over seeds in common.
	Ratio     result.Num       `json:"ratio"`
	RatioCI95 *result.Interval `json:"ratio_ci95"`
	// LimitedBy is what broke just above, with the number of seeds.
	LimitedBy []Cause `json:"limited_by"`
}

// Cause is what broke, with how many seeds.
type Cause struct {
	What  string `json:"what"`
	Seeds int    `json:"seeds"`
}

// known refuses a target of a case, or a request's, that no workload has.
func known(p *study.Probe, t goal.Constraint) error {
	var names []string
	for _, at := range p.Places() {
		if at.Case.Workload != nil && !slices.Contains(names, at.Case.Name) {
			names = append(names, at.Case.Name)
		}
	}
	if t.Case != "" && !slices.Contains(names, t.Case) {
		return fmt.Errorf("%s: no workload in a case %q; the cases are %q", t.Metric, t.Case, names)
	}
	return nil
}

func report(p *study.Probe, targets []goal.Constraint, o Options, jobs []job, interrupted bool) *Report {
	r := &Report{
		Scenario: p.File().Name, Machine: p.Machine(), Targets: []string{}, Results: []Entry{}, Warnings: []string{},
		Interrupted: interrupted,
	}
	for _, t := range targets {
		r.Targets = append(r.Targets, t.String())
	}
	var first []job
	for group := range slices.Chunk(jobs, o.Seeds) {
		if group[0].arm == 0 {
			first = group
		}
		e := entry(p, group, first)
		r.Results = append(r.Results, e)
		where := e.Case + ", arm " + e.Arm
		switch {
		case e.AtLeast:
			r.Warnings = append(r.Warnings, where+": no load broke the targets, up to 4096 times the file's")
		case len(e.Seeds) > 0 && e.Capacity.Value == 0:
			r.Warnings = append(r.Warnings, where+": no load held, down to "+lowest(group, e.Unit))
		}
	}
	if interrupted {
		r.Warnings = append(r.Warnings, "interrupted: figures are of the seeds that were done")
	}
	return r
}

// lowest is the lowest load that was tried and broke.
func lowest(group []job, unit string) string {
	least := math.Inf(1)
	for _, j := range group {
		if j.done {
			least = min(least, j.limit.broke)
		}
	}
	if least == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	return strconv.FormatFloat(least, 'g', 3, 64) + " " + unit
}

func entry(p *study.Probe, group, first []job) Entry {
	at := p.Places()[group[0].place]
	e := Entry{
		World: at.World.Name, Case: at.Case.Name, Arm: p.Arms()[group[0].arm].Name(), Unit: "requests/s",
		Seeds: []result.Num{}, LimitedBy: []Cause{},
	}
	switch w := at.Case.Workload; {
	case w.Trace != nil:
		e.Unit = "× speed"
	case w.Arrivals.Process == scenario.Closed:
		e.Unit = "users"
	}
	var loads, ratios []float64
	for i, j := range group {
		if !j.done {
			continue
		}
		loads = append(loads, j.limit.held)
		e.Seeds = append(e.Seeds, result.Some(j.limit.held))
		if base := first[i]; base.done && base.limit.held > 0 {
			ratios = append(ratios, j.limit.held/base.limit.held)
		}
		if j.limit.broke == 0 {
			e.AtLeast = true
			continue
		}
		n := slices.IndexFunc(e.LimitedBy, func(c Cause) bool { return c.What == j.limit.why })
		if n < 0 {
			n = len(e.LimitedBy)
			e.LimitedBy = append(e.LimitedBy, Cause{What: j.limit.why})
		}
		e.LimitedBy[n].Seeds++
	}
	slices.SortStableFunc(e.LimitedBy, func(a, b Cause) int { return b.Seeds - a.Seeds })
	e.Capacity, e.CI95 = mean(loads)
	e.Ratio, e.RatioCI95 = mean(ratios)
	return e
}

func mean(values []float64) (result.Num, *result.Interval) {
	if len(values) == 0 {
		return result.Num{}, nil
	}
	m := tune.Mean(values)
	if len(values) == 1 {
		return result.Some(m.Mean), nil
	}
	// No load is below 0, whatever a symmetric interval says.
	return result.Some(m.Mean), &result.Interval{result.Some(max(m.Low, 0)), result.Some(m.High)}
}
