package goal

import (
	"strconv"
	"strings"
)

// Metric names a figure of a run.
type Metric struct {
	// Name is a figure's: of one request, or of the run.
	Name string
	// Request is the request whose figure it is, or "".
	Request string
	// Case is the only case that counts, or "" for every case that has it.
	Case string
}

func (m Metric) String() string {
	s := m.Name
	if m.Request != "" {
		s += "(" + name(m.Request) + ")"
	}
	if m.Case != "" {
		s += " in " + quote(m.Case)
	}
	return s
}

// name quotes a request's name that would not read the same without.
func name(s string) string {
	if strings.TrimSpace(s) != s || strings.ContainsRune(s, ')') || strings.IndexAny(s, "'\"") == 0 {
		return quote(s)
	}
	return s
}

func quote(s string) string {
	if strings.ContainsRune(s, '\'') {
		return `"` + s + `"`
	}
	return "'" + s + "'"
}

// Objective is what a search makes small or large.
type Objective struct {
	Metric
	Max bool
}

func (o Objective) String() string { return o.Direction() + " " + o.Metric.String() }

// Direction is "min" or "max".
func (o Objective) Direction() string {
	if o.Max {
		return "max"
	}
	return "min"
}

// Cost is a figure as something to make small.
func (o Objective) Cost(figure float64) float64 {
	if o.Max {
		return -figure
	}
	return figure
}

// Constraint bounds a metric.
type Constraint struct {
	Metric
	// AtLeast says that the bound is from below.
	AtLeast bool
	// Number is the bound, or what it is of the base.
	Number float64
	// OfBase says that the bound is Number times the base's figure.
	OfBase bool
}

func (c Constraint) String() string {
	s := c.Metric.String() + " <= "
	if c.AtLeast {
		s = c.Metric.String() + " >= "
	}
	n := strconv.FormatFloat(c.Number, 'g', -1, 64)
	switch {
	case !c.OfBase:
		return s + n
	case c.Number == 1:
		return s + "base"
	}
	return s + n + " * base"
}

// Bound is the bound, given the base's figure.
func (c Constraint) Bound(base float64) float64 {
	if c.OfBase {
		return float64(c.Number * base)
	}
	return c.Number
}

// Excess is by how much a figure breaks a bound; it holds up to 0.
func (c Constraint) Excess(figure, bound float64) float64 {
	if c.AtLeast {
		return bound - figure
	}
	return figure - bound
}
