package sampled

import (
	"errors"
	"slices"

	"github.com/tfsim/tfsim/costmodel"
)

// Chunk is a prompt step that was timed: rows from a position on. First says
// that it took its slot, Last that it ended its prompt, Idle that the machine had
// nothing to do before it.
type Chunk struct {
	Rows, From        int
	First, Last, Idle bool
	Ms                float64
}

// Restore is the restoring of a kept state that was timed.
type Restore struct {
	Rows int
	Ms   float64
}

// Set is timed work.
type Set struct {
	Launches []Launch
	Chunks   []Chunk
	Passes   []Pass
	Restores []Restore
}

// enough is how often a shape must be timed to be priced by itself.
const enough = 3

// ErrFew says that there is too little to make a table of.
var ErrFew = errors.New("too little was timed: want some rounds and prompt steps")

// Costs fills in what the work costs, in a table that has its limits. Each
// section gets the provenance.
func (s *Set) Costs(t *costmodel.Table, from costmodel.Provenance) error {
	if len(s.Launches) == 0 || len(s.Chunks) == 0 {
		return ErrFew
	}
	settled, cold := s.settled()
	launches(t, settled)
	s.chunks(t)
	t.Prompt.AfterMs = after(t, cold)
	s.passes(t)
	p := &t.Provenance
	p.Windows, p.Chunk = from, from
	if t.ContextMsPer1K > 0 {
		p.Context = from
	}
	if t.Sampling != nil {
		p.Sampling = from
	}
	if t.Drafter != nil {
		p.Pass = from
	}
	t.Noise = noise(t, settled)
	if len(s.Restores) > 0 {
		s.restores(t)
		p.Restore = from
	}
	return nil
}

// cell is a shape of equal windows.
type cell struct{ windows, rows int }

// launches makes the grid of windows by rows of each.
func launches(t *costmodel.Table, timed []Launch) {
	p := newPlane(4)
	for _, l := range timed {
		p.add(l.Ms, float64(l.Windows), float64(l.Rows), float64(l.Context)/1000, float64(l.Sampled))
	}
	k := p.solve()
	context, drawn := max(k[3], 0), max(k[4], 0)
	t.ContextMsPer1K = round(context)
	if drawn > 0 {
		t.Sampling = &costmodel.Sampling{RowMs: round(drawn)}
	}
	cells := map[cell][]float64{}
	most := cell{1, 1}
	for _, l := range timed {
		per := (l.Rows + l.Windows - 1) / l.Windows
		most = cell{max(most.windows, l.Windows), max(most.rows, per)}
		if l.Rows%l.Windows == 0 {
			c := cell{l.Windows, per}
			cells[c] = append(cells[c], l.Ms-float64(float64(l.Context)/1000*context)-float64(float64(l.Sampled)*drawn))
		}
	}
	least := leastOf(timed)
	grid := make(costmodel.Grid, 0, most.windows)
	for n := 1; n <= most.windows; n++ {
		var line costmodel.Curve
		for r := 1; r <= most.rows; r++ {
			ms := k[0] + float64(k[1]*float64(n)) + float64(k[2]*float64(n*r))
			if timed := cells[cell{n, r}]; len(timed) >= enough {
				ms = typical(timed)
			}
			line = append(line, costmodel.Point{At: r, Ms: round(max(ms, least))})
		}
		grid = append(grid, costmodel.Line{At: n, Ms: line})
	}
	t.Rows, t.Windows = nil, &costmodel.Windows{MS: grid}
}

// leastOf bounds what the plane says from below.
func leastOf(launches []Launch) float64 {
	least := launches[0].Ms
	for _, l := range launches {
		least = min(least, l.Ms)
	}
	return max(least, 0.001)
}

// chunks makes the grid of chunks by rows and position.
func (s *Set) chunks(t *costmodel.Table) {
	// What takes a slot, ends a prompt or wakes a machine is told apart by
	// factors of its own.
	p := newPlane(5)
	p.above = true // else what ends a prompt may take what the constant lacks
	timed := map[[2]int][]float64{}
	var rows, starts []int
	for _, c := range s.Chunks {
		p.add(c.Ms, float64(c.Rows), far(c.Rows, c.From), one(c.First), one(c.Last), one(c.Idle))
		rows, starts = append(rows, c.Rows), append(starts, c.From)
	}
	k := p.solve()
	for _, c := range s.Chunks {
		at := [2]int{c.Rows, c.From}
		if !c.Idle { // what waking costs differs
			timed[at] = append(timed[at], c.Ms-float64(k[3]*one(c.First))-float64(k[4]*one(c.Last)))
		}
	}
	chunk := &costmodel.Chunk{BeginMs: round(k[3]), IdleMs: round(k[5])}
	starts = few(append(starts, 0))
	for _, n := range few(rows) {
		var line costmodel.Curve
		for _, from := range starts {
			ms := k[0] + float64(k[1]*float64(n)) + float64(k[2]*far(n, from))
			if x := timed[[2]int{n, from}]; len(x) >= enough {
				ms = typical(x)
			}
			line = append(line, costmodel.Point{At: from, Ms: round(max(ms, 0.001))})
		}
		chunk.MS = append(chunk.MS, costmodel.Line{At: n, Ms: line})
	}
	if ms := round(k[4]); ms > 0 {
		chunk.FinishMs = costmodel.Curve{{At: 1, Ms: ms}, {At: 2, Ms: ms}}
	}
	t.Prompt = chunk
}

// far is the rows times the position in their middle, in thousands: what
// attention costs goes with it.
func far(rows, from int) float64 {
	return float64(float64(rows) * (float64(from) + float64(rows)/2) / 1000)
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// few is up to 9 of the numbers, ascending, spread over them, the ends among
// them.
func few(numbers []int) []int {
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	const most = 9
	if len(numbers) <= most {
		return numbers
	}
	out := make([]int, most)
	for i := range out {
		out[i] = numbers[i*(len(numbers)-1)/(most-1)]
	}
	return out
}

// restores makes the price of a restore, by its rows where those tell.
func (s *Set) restores(t *costmodel.Table) {
	p := newPlane(1)
	p.above = true
	for _, x := range s.Restores {
		p.add(x.Ms, float64(x.Rows)/1000)
	}
	k := p.solve()
	t.RestoreMs, t.RestoreMsPer1K = round(k[0]), round(k[1])
}
