package sampled

import (
	"errors"
	"math"
	"slices"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
)

// Launch is a launch that was timed: Context is the rows in the caches of its
// windows, as the table counts them, Sampled the rows drawn at a temperature.
type Launch struct {
	Windows, Rows, Context, Sampled int
	Ms                              float64
}

// Chunk is a prompt step that was timed: rows from a position on. First says
// that it took its slot, Last that it ended its prompt.
type Chunk struct {
	Rows, From  int
	First, Last bool
	Ms          float64
}

// Pass is a drafter pass that was timed; Context is as of a Launch.
type Pass struct {
	core.Asked
	Context int
	Ms      float64
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
	s.launches(t)
	s.chunks(t)
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
	t.Noise = s.noise(t)
	if len(s.Restores) > 0 {
		s.restores(t)
		p.Restore = from
	}
	return nil
}

// cell is a shape of equal windows.
type cell struct{ windows, rows int }

// launches makes the grid of windows by rows of each.
func (s *Set) launches(t *costmodel.Table) {
	p := newPlane(4)
	for _, l := range s.Launches {
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
	for _, l := range s.Launches {
		per := (l.Rows + l.Windows - 1) / l.Windows
		most = cell{max(most.windows, l.Windows), max(most.rows, per)}
		if l.Rows%l.Windows == 0 {
			c := cell{l.Windows, per}
			cells[c] = append(cells[c], l.Ms-float64(float64(l.Context)/1000*context)-float64(float64(l.Sampled)*drawn))
		}
	}
	least := leastOf(s.Launches)
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

// noise is how far launches are spread about what the table says of them; a few
// stalls leave it as it is.
func (s *Set) noise(t *costmodel.Table) float64 {
	var off []float64
	for _, l := range s.Launches {
		price, _ := t.Launch(costmodel.Load{
			Windows: l.Windows, Rows: l.Rows, Context: int64(l.Context), Longest: int64(l.Context / l.Windows), Sampled: l.Sampled,
		})
		if price > 0 && l.Ms > 0 {
			off = append(off, math.Log(l.Ms*1e6/float64(price)))
		}
	}
	middle := median(off)
	for i := range off {
		off[i] = math.Abs(off[i] - middle)
	}
	const normal = 1.4826 // sigma over the median distance of normal values
	return min(round(normal*median(off)), 2)
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
	// What takes a slot or ends a prompt is told apart by factors of its own.
	p := newPlane(4)
	timed := map[[2]int][]float64{}
	var rows, starts []int
	for _, c := range s.Chunks {
		p.add(c.Ms, float64(c.Rows), far(c.Rows, c.From), one(c.First), one(c.Last))
		rows, starts = append(rows, c.Rows), append(starts, c.From)
	}
	k := p.solve()
	for _, c := range s.Chunks {
		at := [2]int{c.Rows, c.From}
		timed[at] = append(timed[at], c.Ms-float64(k[3]*one(c.First))-float64(k[4]*one(c.Last)))
	}
	chunk := &costmodel.Chunk{BeginMs: round(max(k[3], 0))}
	starts = few(append(starts, 0))
	for _, n := range few(rows) {
		var line costmodel.Curve
		for _, from := range starts {
			ms := max(k[0], 0) + float64(k[1]*float64(n)) + float64(k[2]*far(n, from))
			if x := timed[[2]int{n, from}]; len(x) >= enough {
				ms = typical(x)
			}
			line = append(line, costmodel.Point{At: from, Ms: round(max(ms, 0.001))})
		}
		chunk.MS = append(chunk.MS, costmodel.Line{At: n, Ms: line})
	}
	if ms := round(max(k[4], 0)); ms > 0 {
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

func (s *Set) passes(t *costmodel.Table) {
	t.Drafter = nil
	if len(s.Passes) == 0 {
		return
	}
	depth := s.usualDepth()
	p := newPlane(4)
	for _, x := range s.Passes {
		if x.Depth == depth {
			p.add(x.Ms, float64(x.Asks-1), float64(x.Context)/1000, float64(x.CatchUps), float64(x.Rounds))
		}
	}
	k := p.solve()
	// What others save, or cost beyond it, as a part of what goes by depth.
	var parts []float64
	for _, x := range s.Passes {
		usual := k[0] + float64(k[1]*float64(x.Asks-1)) + float64(k[2]*float64(x.Context)/1000)
		saved := usual + float64(k[3]*float64(x.CatchUps)) + float64(k[4]*float64(x.Rounds)) - x.Ms
		if x.Depth != depth && usual > 0 {
			parts = append(parts, saved/usual*float64(depth)/float64(depth-x.Depth))
		}
	}
	part := min(median(parts), 1)
	if part < leastPart {
		part = 0
	}
	// The figures are of a whole block.
	block := max(t.Drafts.Block, depth)
	deeper := 1 + float64(part*float64(block-depth))/float64(depth)
	t.Drafter = &costmodel.Drafter{
		Ms: round(max(k[0], 0) * deeper), AskMs: round(max(k[1], 0) * deeper), ContextMsPer1K: round(max(k[2], 0) * deeper),
		IngestMs: round(max(k[3], 0)), IngestRoundMs: round(max(k[4], 0)),
		ByDepth: round(part * float64(block) / float64(depth) / deeper),
	}
}

// usualDepth is the depth, at least 1, of the most passes, of equals the deepest.
func (s *Set) usualDepth() int {
	often := map[int]int{}
	usual := 1
	for _, x := range s.Passes {
		often[x.Depth]++
		if n, most := often[x.Depth], often[usual]; x.Depth > 0 && (n > most || n == most && x.Depth > usual) {
			usual = x.Depth
		}
	}
	return usual
}

// restores makes the price of a restore, by its rows where those tell.
func (s *Set) restores(t *costmodel.Table) {
	p := newPlane(1)
	for _, x := range s.Restores {
		p.add(x.Ms, float64(x.Rows)/1000)
	}
	k := p.solve()
	t.RestoreMs, t.RestoreMsPer1K = round(max(k[0], 0)), round(max(k[1], 0))
}

// leastPart is the least part of a pass that is told to go by its depth: less
// may well be chance.
const leastPart = 0.05
