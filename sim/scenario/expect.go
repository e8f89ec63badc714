package scenario

import (
	"fmt"
	"strconv"
	"strings"
)

// Expect is a claim about one figure of the results.
type Expect struct {
	Pos
	// Case and Arm are names of the file's.
	Case, Arm string
	// Request is an id within the case; "" for a figure of the totals.
	Request string
	// World is a name of the file's; "" claims it in every world.
	World string
	// Metric is a figure's name in the results, dotted where nested.
	Metric string
	// Of is the arm whose figure divides this one; "" for the figure itself.
	Of    string
	Bound Bound
}

// BoundKind is how a figure is bounded.
type BoundKind string

// The kinds of bound.
const (
	Below  BoundKind = "below"
	Above  BoundKind = "above"
	Within BoundKind = "within"
)

// Bound is an interval. Below and Above exclude their limit; Within includes
// both.
type Bound struct {
	Kind BoundKind
	// Low is Above's limit, High is Below's.
	Low, High float64
}

// Holds says whether v lies within the bound. NaN does not.
func (b Bound) Holds(v float64) bool {
	switch b.Kind {
	case Below:
		return v < b.High
	case Above:
		return v > b.Low
	default:
		return v >= b.Low && v <= b.High
	}
}

// String reads like the key and value of the file.
func (b Bound) String() string {
	num := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	switch b.Kind {
	case Below:
		return "below " + num(b.High)
	case Above:
		return "above " + num(b.Low)
	default:
		return "within [" + num(b.Low) + ", " + num(b.High) + "]"
	}
}

// String is the claim in one line, such as
// "reply first, share, reply: done_s below 5".
func (e Expect) String() string {
	where := []string{e.Case, e.Arm}
	if e.World != "" {
		where = append([]string{e.World}, where...)
	}
	if e.Request != "" {
		where = append(where, e.Request)
	}
	metric := e.Metric
	if e.Of != "" {
		metric += " of " + e.Of
	}
	return fmt.Sprintf("%s: %s %s", strings.Join(where, ", "), metric, e.Bound)
}
