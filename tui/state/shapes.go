package state

import (
	"cmp"
	"slices"

	"github.com/tfsim/tfsim/core"
)

// Shape is what was believed and measured of one shape of round, or of passes
// over so many asks (Rows is 0).
type Shape struct {
	Windows, Rows int
	N             int64
	Price         core.Nanos
	Device        core.Micros
}

// Believed and Measured are the means.
func (s *Shape) Believed() core.Nanos { return s.Price / core.Nanos(max(s.N, 1)) }

// Measured is the mean of the device's time.
func (s *Shape) Measured() core.Micros { return s.Device / core.Micros(max(s.N, 1)) }

// Ratio is measured over believed; ok is false without a price.
func (s *Shape) Ratio() (ratio float64, ok bool) {
	if s.Price <= 0 {
		return 0, false
	}
	return float64(s.Device) * 1000 / float64(s.Price), true
}

type shapeKey struct{ windows, rows int }

// mostShapes bounds what is kept; further shapes are not noted.
const mostShapes = 4096

type shapes map[shapeKey]*Shape

func (m shapes) note(windows, rows int, price core.Nanos, device core.Micros) {
	k := shapeKey{windows, rows}
	s := m[k]
	if s == nil {
		if len(m) == mostShapes {
			return
		}
		s = &Shape{Windows: windows, Rows: rows}
		m[k] = s
	}
	s.N++
	s.Price += price
	s.Device += device
}

// Shapes gives the shapes seen, the most frequent first.
func (s *State) Shapes() []Shape {
	out := make([]Shape, 0, len(s.shapes))
	for _, x := range s.shapes {
		out = append(out, *x)
	}
	slices.SortFunc(out, func(a, b Shape) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Windows, b.Windows), cmp.Compare(a.Rows, b.Rows))
	})
	return out
}

// Shape gives one shape, if it was seen.
func (s *State) Shape(windows, rows int) (Shape, bool) {
	x := s.shapes[shapeKey{windows, rows}]
	if x == nil {
		return Shape{}, false
	}
	return *x, true
}
