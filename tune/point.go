package tune

import (
	"slices"
	"strings"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/sim/study"
)

// Point is a text for each dimension of a space; "" is unset.
type Point []string

// With is the point with one other text.
func (p Point) With(dim int, text string) Point {
	q := slices.Clone(p)
	q[dim] = text
	return q
}

// Set is the number of texts that are not "".
func (p Point) Set() int {
	n := 0
	for _, text := range p {
		if text != "" {
			n++
		}
	}
	return n
}

// key tells points apart.
func (p Point) key() string { return strings.Join(p, "\x00") }

// extends says that p sets all that q sets, alike, and perhaps more.
func (p Point) extends(q Point) bool {
	for i, text := range q {
		if text != "" && p[i] != text {
			return false
		}
	}
	return true
}

// Default is the point that sets nothing.
func (s *Space) Default() Point { return make(Point, len(s.Dims)) }

// Assignments are a point's settings.
func (s *Space) Assignments(p Point) []study.Assignment {
	var set []study.Assignment
	for i, text := range p {
		if text != "" {
			set = append(set, study.Assignment{Name: s.Dims[i].Name, Text: text})
		}
	}
	return set
}

// Point is the point of some settings; ok is false if one of them, or one that
// it sets, is outside of the space.
func (s *Space) Point(v settings.Values) (p Point, ok bool) {
	p = s.Default()
	n := 0
	for i, d := range s.Dims {
		if text, set := v.Get(d.Name); set {
			p[i] = text
			n++
		}
	}
	return p, n == v.Len()
}
