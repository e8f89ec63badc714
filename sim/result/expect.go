package result

import (
	"fmt"
	"strings"
)

// Check is one expectation of a scenario. An empty World, Case or Arm means
// every one; the check then has to hold in each.
type Check struct {
	World, Case, Arm string
	// Request names one request; empty for the totals.
	Request string
	// Metric is the JSON name of a figure, nested ones dotted (gap_ms.p95).
	Metric string
	// Of, if given, is another arm: the value is the ratio to its figure.
	Of string
	// Below and Above are exclusive bounds, Within has inclusive ones. All
	// that are given must hold.
	Below, Above *float64
	Within       *[2]float64
}

// Evaluate checks an expectation on the printed figures of a document. The
// result is that of the first cell that fails, or else of the first cell. A
// figure that is absent, or not there, fails.
func Evaluate(doc *Document, c Check) ExpectResult {
	var first *ExpectResult
	for i := range doc.Results {
		e := &doc.Results[i]
		if !c.about(e) {
			continue
		}
		r := c.judge(doc, e)
		if !r.OK {
			return r
		}
		if first == nil {
			first = &r
		}
	}
	if first == nil {
		return ExpectResult{Text: c.where(c.World, c.Case, c.Arm) + ": no such result"}
	}
	return *first
}

// Skip is the result of an expectation that is not checked, and why.
func Skip(c Check, why string) ExpectResult {
	return ExpectResult{
		OK:      true,
		Skipped: true,
		Text:    fmt.Sprintf("%s: %s skipped: %s", c.where(c.World, c.Case, c.Arm), c.Metric, why),
	}
}

func (c Check) about(e *Entry) bool {
	return (c.World == "" || c.World == e.World) && (c.Case == "" || c.Case == e.Case) && (c.Arm == "" || c.Arm == e.Arm)
}

func (c Check) where(world, name, arm string) string {
	var parts []string
	for _, p := range []string{world, name, arm, c.Request} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if parts == nil {
		return "any result"
	}
	return strings.Join(parts, " / ")
}

func (c Check) judge(doc *Document, e *Entry) ExpectResult {
	where := c.where(e.World, e.Case, e.Arm)
	value, err := c.measure(doc, e)
	if err != nil {
		return ExpectResult{Text: where + ": " + err.Error()}
	}
	bounds, ok := c.bounds(value.Value)
	figure := "no figure"
	if value.Valid {
		figure = value.String()
	}
	if c.Of != "" {
		figure += " of " + c.Of
	}
	return ExpectResult{
		OK:    ok && value.Valid,
		Text:  fmt.Sprintf("%s: %s %s, expected %s", where, c.Metric, figure, bounds),
		Value: value,
	}
}

// measure is the figure of an entry, or its ratio to that of another arm.
func (c Check) measure(doc *Document, e *Entry) (Num, error) {
	value, err := c.figure(e)
	if err != nil || c.Of == "" {
		return value, err
	}
	for i := range doc.Results {
		o := &doc.Results[i]
		if o.World != e.World || o.Case != e.Case || o.Arm != c.Of {
			continue
		}
		base, err := c.figure(o)
		if err != nil {
			return Num{}, fmt.Errorf("of %s: %w", c.Of, err)
		}
		if !value.Valid || !base.Valid {
			return Num{}, nil
		}
		return ratio(value.Value, base.Value).Rounded(), nil
	}
	return Num{}, fmt.Errorf("no arm %q to compare with", c.Of)
}

func (c Check) figure(e *Entry) (Num, error) {
	if c.Request == "" {
		v, known := e.Totals.Metric(c.Metric)
		if !known {
			return Num{}, fmt.Errorf("totals have no metric %q", c.Metric)
		}
		return v.Rounded(), nil
	}
	for i := range e.Requests {
		if e.Requests[i].ID != c.Request {
			continue
		}
		v, known := e.Requests[i].Metric(c.Metric)
		if !known {
			return Num{}, fmt.Errorf("requests have no metric %q", c.Metric)
		}
		return v.Rounded(), nil
	}
	return Num{}, fmt.Errorf("no such request")
}

// bounds tells them and whether v keeps them all.
func (c Check) bounds(v float64) (text string, ok bool) {
	var parts []string
	ok = true
	say := func(held bool, format string, bounds ...any) {
		ok = ok && held
		parts = append(parts, fmt.Sprintf(format, bounds...))
	}
	if c.Below != nil {
		say(v < *c.Below, "below %v", *c.Below)
	}
	if c.Above != nil {
		say(v > *c.Above, "above %v", *c.Above)
	}
	if c.Within != nil {
		say(v >= c.Within[0] && v <= c.Within[1], "within %v to %v", c.Within[0], c.Within[1])
	}
	if parts == nil {
		return "a bound, but none is given", false
	}
	return strings.Join(parts, " and "), ok
}
