package tune

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tfsim/tfsim/sim/result"
)

// FrontAnswer is what a search of two objectives tells.
type FrontAnswer struct {
	Objectives []string   `json:"objectives"`
	SubjectTo  []string   `json:"subject_to"`
	Robust     string     `json:"robust"`
	Scenarios  []Scenario `json:"scenarios"`
	Front      []FrontRow `json:"front"`
	Default    *FrontRow  `json:"default"`
	Warnings   []string   `json:"warnings"`
	Search     Effort     `json:"search"`

	others [][2]float64
}

// FrontRow is a point of a front: a figure and interval for each objective.
type FrontRow struct {
	Settings []Chosen          `json:"settings"`
	Lines    []string          `json:"environment"`
	Flags    []string          `json:"flags"`
	Seeds    int               `json:"seeds"`
	Values   []result.Num      `json:"values"`
	CI95     []result.Interval `json:"ci95"`
	Holds    bool              `json:"holds"`
}

// NewFrontAnswer tells what a search in a field found.
func NewFrontAnswer(f *Field, found *Front) *FrontAnswer {
	a := &FrontAnswer{
		SubjectTo: []string{}, Robust: f.aims.Robust.String(), Scenarios: f.scenarios(), Front: []FrontRow{}, Warnings: []string{},
		Search: Effort{
			Settings: len(found.Space.Dims), Candidates: found.Candidates, Whole: found.Whole,
			Runs: found.Runs, Budget: found.Budget, End: found.End, Confirmed: found.Confirmed,
		},
	}
	for _, o := range f.aims.Objectives {
		a.Objectives = append(a.Objectives, o.String())
	}
	for _, c := range f.aims.Constraints {
		a.SubjectTo = append(a.SubjectTo, c.String())
	}
	for _, c := range found.Points {
		a.Front = append(a.Front, f.frontRow(found.Space, c))
		for _, s := range c.Samples {
			for _, note := range s.Notes {
				if !slices.Contains(a.Warnings, note) {
					a.Warnings = append(a.Warnings, note)
				}
			}
		}
	}
	if found.Default != nil {
		row := f.frontRow(found.Space, found.Default)
		a.Default = &row
	}
	if len(a.Front) == 0 {
		a.Warnings = append(a.Warnings, "no candidate keeps the constraints")
	}
	if found.End == EndInterrupted {
		a.Warnings = append(a.Warnings, "interrupted: only what was done until then is compared")
	}
	for _, at := range found.Others {
		a.others = append(a.others, [2]float64{f.aims.Objectives[0].Cost(at[0]), f.aims.Objectives[1].Cost(at[1])})
	}
	return a
}

func (f *Field) frontRow(space *Space, c *Candidate) FrontRow {
	w := &teller{f, &Found{Space: space, Winner: c}}
	row := FrontRow{Settings: w.chosen(c.Point), Seeds: len(c.Samples), Holds: c.Holds()}
	row.Lines, row.Flags = w.lines()
	for i, o := range f.aims.Objectives {
		e := c.Objective(i)
		low, high := result.Some(o.Cost(e.Low)), result.Some(o.Cost(e.High))
		if o.Max {
			low, high = high, low
		}
		row.Values = append(row.Values, result.Some(o.Cost(e.Mean)))
		row.CI95 = append(row.CI95, result.Interval{low, high})
	}
	return row
}

// Write prints the front for a person.
func (a *FrontAnswer) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "front of %s", strings.Join(a.Objectives, " and "))
	if len(a.SubjectTo) > 0 {
		fmt.Fprintf(&b, " subject to %s", strings.Join(a.SubjectTo, ", "))
	}
	fmt.Fprintf(&b, "\n%s\n\n", a.Search)
	cells := [][]string{{""}}
	for _, o := range a.Objectives {
		_, metric, _ := strings.Cut(o, " ")
		cells[0] = append(cells[0], metric, "95% interval")
	}
	cells[0] = append(cells[0], "settings")
	line := func(name string, r FrontRow) {
		row := []string{name}
		for i, v := range r.Values {
			row = append(row, Figure(v), Figure(r.CI95[i][0])+" to "+Figure(r.CI95[i][1]))
		}
		text := strings.Join(slices.Concat(r.Lines, r.Flags), " ")
		if !r.Holds {
			text = strings.TrimSpace("breaks a constraint " + text)
		}
		cells = append(cells, append(row, text))
	}
	for i, r := range a.Front {
		line(fmt.Sprint(i+1), r)
	}
	if a.Default != nil {
		line("default", *a.Default)
	}
	WriteColumns(&b, cells)
	for _, text := range a.Warnings {
		fmt.Fprintf(&b, "note: %s\n", text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
