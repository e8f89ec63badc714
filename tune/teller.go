package tune

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
)

// Files are the scenario files.
func (f *Field) Files() []*scenario.File {
	var all []*scenario.File
	for _, p := range f.probes {
		all = append(all, p.File())
	}
	return all
}

func (f *Field) scenarios() []Scenario {
	var all []Scenario
	for _, p := range f.probes {
		s := Scenario{Name: p.File().Name, Machine: p.Machine(), Base: p.Arms()[0].Name()}
		for _, place := range p.Places() {
			if !slices.Contains(s.Cases, place.Case.Name) {
				s.Cases = append(s.Cases, place.Case.Name)
			}
		}
		s.Worlds = len(p.Places()) / len(s.Cases)
		all = append(all, s)
	}
	return all
}

// teller turns a search's findings into figures with names.
type teller struct {
	field *Field
	found *Found
}

func (w *teller) chosen(p Point) []Chosen {
	all := []Chosen{}
	for _, a := range w.found.Space.Assignments(p) {
		all = append(all, Chosen{a.Name, a.Text})
	}
	return all
}

// lines are the winner's, with what the file sets and what is fixed: all that
// the figures stand on.
func (w *teller) lines() (env, flags []string) {
	env, flags = []string{}, []string{}
	for i := range w.field.probes {
		s, err := w.field.setup(i, w.found.Winner.Point)
		if err != nil {
			continue
		}
		for _, line := range s.Values.Environment() {
			if !slices.Contains(env, line) {
				env = append(env, line)
			}
		}
		if text := flagsOf(s.Values); text != "" && !slices.Contains(flags, text) {
			flags = append(flags, text)
		}
	}
	return env, flags
}

func flagsOf(v settings.Values) string { return strings.Join(v.Flags(), " ") }

func (w *teller) rows() []Row {
	rows := []Row{w.row("winner", w.found.Winner)}
	if w.found.Default != nil {
		rows = append(rows, w.row("default", w.found.Default))
	}
	if w.found.Second != nil {
		rows = append(rows, w.row("second best", w.found.Second))
	}
	_, names, _ := w.field.Starts()
	for i, c := range w.found.Starts {
		if c != nil && i < len(names) {
			rows = append(rows, w.row("arm "+names[i], c))
		}
	}
	return rows
}

// figure is a cost as its objective's figure.
func (w *teller) figure(cost float64) result.Num {
	return result.Some(w.field.aims.Objectives[0].Cost(cost))
}

// interval is one of costs as one of figures.
func (w *teller) interval(e Estimate) result.Interval {
	low, high := w.figure(e.Low), w.figure(e.High)
	if w.field.aims.Objectives[0].Max {
		low, high = high, low
	}
	return result.Interval{low, high}
}

func (w *teller) row(name string, c *Candidate) Row {
	e := c.Cost()
	row := Row{
		Name: name, Settings: w.chosen(c.Point), Seeds: e.N, Value: w.figure(e.Mean), CI95: w.interval(e),
		Holds: c.Holds(), Constraints: []Kept{},
	}
	for _, s := range c.Samples {
		row.Saturated = row.Saturated || s.Saturated
	}
	for i, at := range w.field.parts {
		value, bound, excess := c.Part(i)
		row.Constraints = append(row.Constraints, Kept{
			Text: w.field.aims.Constraints[at.constraint].String(), Case: w.field.spots[at.spot].title,
			Value: result.Some(value.Mean), Bound: result.Some(bound.Mean),
			Holds: excess.Mean <= float64(1e-12*max(bound.Mean, -bound.Mean)), Sure: excess.Low > 0 || excess.High <= 0,
		})
	}
	return row
}

func (w *teller) against(name string, other *Candidate) Against {
	e := w.found.Winner.Over(other)
	x, y := w.figure(w.found.Winner.Cost().Mean), w.figure(other.Cost().Mean)
	a := Against{Name: name, Difference: w.figure(e.Mean), CI95: w.interval(e), Better: w.found.Beats(w.found.Winner, other) || !other.Holds()}
	a.behind = w.ahead(other)
	if x.Valid && y.Valid && y.Value != 0 {
		a.Ratio = result.Some(x.Value / y.Value)
	}
	return a
}

// bestArm is the best of the files' arms that keep the constraints, other than
// the winner and the default; nil if there is none.
func (w *teller) bestArm() (name string, best *Candidate) {
	_, names, _ := w.field.Starts()
	for i, c := range w.found.Starts {
		switch {
		case c == nil || i >= len(names) || c.Point.Set() == 0 || !c.Holds() || slices.Equal(c.Point, w.found.Winner.Point):
		case best == nil || c.Cost().Mean < best.Cost().Mean:
			name, best = names[i], c
		}
	}
	return name, best
}

// ahead says that another candidate beats the winner on the seeds of the
// answer: that is too little, or too late, to be chosen for it.
func (w *teller) ahead(other *Candidate) bool {
	return other.Holds() && w.found.Beats(other, w.found.Winner)
}

func (w *teller) sensitivity() []SenseLine {
	lines := []SenseLine{}
	for _, s := range w.found.Sensitivity {
		line := SenseLine{Name: s.Name, Value: s.At, Text: s.String()}
		for _, m := range s.Values {
			p := Step{Value: m.Text, Figure: w.figure(m.Cost), Breaks: m.Broken}
			if m.Ratio > 0 {
				p.Worse = result.Some(m.Ratio)
			}
			line.Points = append(line.Points, p)
		}
		lines = append(lines, line)
	}
	return lines
}

// advice is the answer in a sentence.
func (w *teller) advice(a *Answer) string {
	switch a.Verdict {
	case Interrupted:
		return "interrupted: the leader so far is shown, and nothing is recommended"
	case Infeasible:
		return "no candidate keeps the constraints; the nearest is shown"
	case NoDifference:
		return "no difference: nothing that was tried beats the default beyond the noise, so change nothing"
	}
	if w.found.Second != nil && w.ahead(w.found.Second) {
		return "these settings beat the default; the second best is a little ahead of them on the seeds of the answer"
	}
	if w.found.Second != nil && w.found.Second.Holds() && !w.found.Beats(w.found.Winner, w.found.Second) {
		return "these settings beat the default; between them and the second best there is no difference"
	}
	return "these settings beat the default and every other candidate"
}

func (w *teller) warnings(a *Answer) []string {
	all := []string{}
	add := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	switch {
	case w.found.End == EndInterrupted:
		add("interrupted: only what was done until then is compared")
	case !w.found.Confirmed:
		add("the budget left no runs to confirm the winner; its figures are of the search's own seeds, and lucky")
	}
	for _, row := range a.Candidates[:min(2, len(a.Candidates))] {
		if row.Saturated {
			add("%s: a run was saturated: its queue grew without bound, so its times say how long it ran", row.Name)
		}
		for _, k := range row.Constraints {
			if row.Name == "winner" && k.Holds && !k.Sure {
				add("%s in %s holds on average only: its interval reaches beyond the bound", k.Text, k.Case)
			}
		}
	}
	for _, s := range w.found.Winner.Samples {
		for _, note := range s.Notes {
			add("%s", note)
		}
	}
	if _, _, outside := w.field.Starts(); len(outside) > 0 {
		add("not compared, since they set what is not searched: arms %s", strings.Join(outside, ", "))
	}
	if len(a.Flags) > 1 {
		add("the scenarios set flags of their own: each line of flags is for one of them")
	}
	return all
}
