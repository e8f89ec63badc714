package costmodel

import (
	"fmt"

	"github.com/tfsim/tfsim/core"
)

// The kinds of belief.
const (
	// BeliefMeasured is the table's own figures.
	BeliefMeasured = "measured"
	// BeliefDefault is what a scheduler assumes without a table: 37 + 5 ms a
	// row for a round and 5.6 ms for a pass, whatever the sequences. Only what
	// of a pass goes by its depth is the table's.
	BeliefDefault = "default"
)

// stepsPart is the part of a pass that is taken to go by its depth.
const stepsPart = 0.9

// Unmeasured is a table without costs, of a drafter that makes up to so many
// drafts one after another; 0 is for one that makes a block of them at once.
func Unmeasured(steps int) *Table {
	t := &Table{}
	if steps > 0 {
		t.Drafter, t.Drafts.Block = &Drafter{ByDepth: stepsPart}, steps
	}
	return t
}

// Belief gives the prices that a scheduler chooses by, of the kind "measured"
// or "default". A call of them takes the same short time for any shape and
// allocates nothing. Context, sampling and duplicates are not in them. The
// table must not change afterwards.
func (t *Table) Belief(kind string) (core.Prices, error) {
	switch kind {
	case BeliefMeasured:
		return newTableBelief(t), nil
	case BeliefDefault:
		b := lineBelief{block: t.Drafts.Block}
		if t.Drafter != nil {
			b.drafter.ByDepth = t.Drafter.ByDepth
		}
		return b, nil
	}
	return nil, fmt.Errorf("unknown belief %q; accepted: %s, %s", kind, BeliefMeasured, BeliefDefault)
}

// lineBelief is the default belief. Its costs rise with rows, so that no
// padding pays.
type lineBelief struct {
	drafter Drafter
	block   int
}

func (lineBelief) Round(s core.Shape) core.Nanos {
	return 37_000_000 + 5_000_000*core.Nanos(s.Rows)
}

func (b lineBelief) Pass(a core.Asked) core.Nanos {
	if a.Asks < 1 {
		return 0
	}
	return core.Nanos(5_600_000 * b.drafter.part(a.Depth, b.block))
}

func (lineBelief) Cheapest(s core.Shape) core.Shape { return s }

// tableBelief is a table's own figures, priced ahead for every shape within one
// launch.
type tableBelief struct {
	table   *Table
	windows int
	rows    int
	further core.Nanos
	// price and best are indexed by (windows-1)*rows + rows-1; best is the
	// rows of the cheapest shape.
	price []core.Nanos
	best  []int32
}

func newTableBelief(t *Table) *tableBelief {
	b := &tableBelief{
		table:   t,
		windows: max(t.Limits.Windows, 0),
		rows:    max(t.Limits.Rows, 0),
		further: nanos(t.Limits.FurtherMs),
	}
	b.price = make([]core.Nanos, b.windows*b.rows)
	b.best = make([]int32, b.windows*b.rows)
	for n := 1; n <= b.windows; n++ {
		row := b.price[(n-1)*b.rows : n*b.rows]
		best := b.best[(n-1)*b.rows : n*b.rows]
		for r := b.rows; r >= 1; r-- {
			row[r-1], _ = t.Launch(Load{Windows: n, Rows: r})
			switch {
			case r < b.rows && r < n:
				best[r-1] = best[r]
			case r < b.rows && row[best[r]-1] < row[r-1]:
				best[r-1] = best[r]
			default:
				best[r-1] = int32(r)
			}
		}
	}
	return b
}

func (b *tableBelief) launch(n, r int) core.Nanos {
	if n < 1 || r < 1 {
		return 0
	}
	if n <= b.windows && r <= b.rows {
		return b.price[(n-1)*b.rows+r-1]
	}
	price, _ := b.table.Launch(Load{Windows: n, Rows: r})
	return price
}

// Round prices a shape beyond one launch as the fewest launches that hold it,
// windows and rows split as evenly as can be.
func (b *tableBelief) Round(s core.Shape) core.Nanos {
	if s.Windows <= b.windows && s.Rows <= b.rows {
		return b.launch(s.Windows, s.Rows)
	}
	k := launches(s, b.windows, b.rows)
	// The first launches take one window more, and one row more, than the
	// rest: at most three different launches.
	n, moreWindows := s.Windows/k, s.Windows%k
	r, moreRows := s.Rows/k, s.Rows%k
	both, either := min(moreWindows, moreRows), max(moreWindows, moreRows)
	sum := core.Nanos(k-1) * b.further
	if both > 0 {
		sum += core.Nanos(both) * b.launch(n+1, r+1)
	}
	if either > both {
		if moreWindows > moreRows {
			n++
		} else {
			r++
		}
		sum += core.Nanos(either-both) * b.launch(n, r)
	}
	return sum + core.Nanos(k-either)*b.launch(s.Windows/k, s.Rows/k)
}

// launches is the fewest launches of at most the given windows and rows that
// hold a shape. A window is never split, so there are no more than windows.
func launches(s core.Shape, windows, rows int) int {
	k := max(ceil(s.Windows, windows), ceil(s.Rows, rows))
	return max(1, min(k, s.Windows))
}

func ceil(a, b int) int { return (max(a, 0) + max(b, 1) - 1) / max(b, 1) }

func (b *tableBelief) Pass(a core.Asked) core.Nanos {
	price, _ := b.table.Pass(Asked{Asked: a})
	return price
}

// Context is the price of attending over so many rows.
func (b *tableBelief) Context(rows int) core.Nanos {
	return nanos(float64(rows) / 1000 * b.table.ContextMsPer1K)
}

func (b *tableBelief) Cheapest(s core.Shape) core.Shape {
	if s.Windows < 1 || s.Windows > b.windows || s.Rows > b.rows {
		return s
	}
	s.Rows = int(b.best[(s.Windows-1)*b.rows+max(s.Rows, 1)-1])
	return s
}
