package costmodel

import "github.com/tfsim/tfsim/core"

// Cheapest gives the shape with the same windows and at least the same rows, up
// to the table's rows of a launch, that costs least; of equals the one with
// fewer rows. A shape beyond one launch is given back as it is. It prices every
// candidate; a belief has the answers ready.
func (t *Table) Cheapest(s core.Shape) core.Shape {
	if s.Windows < 1 || s.Windows > t.Limits.Windows || s.Rows > t.Limits.Rows {
		return s
	}
	best := s
	least, _ := t.Launch(Load{Windows: s.Windows, Rows: s.Rows})
	if s.Rows < s.Windows {
		best.Rows = s.Windows
		least, _ = t.Launch(Load{Windows: s.Windows, Rows: s.Windows})
	}
	for rows := best.Rows + 1; rows <= t.Limits.Rows; rows++ {
		if price, _ := t.Launch(Load{Windows: s.Windows, Rows: rows}); price < least {
			least, best.Rows = price, rows
		}
	}
	return best
}
