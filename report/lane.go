package report

import "github.com/tfsim/tfsim/core"

// mark is what a stretch of a lane is drawn as.
type mark uint8

const (
	markPrompt mark = iota
	markRestore
	markPass
	markRound
	markStall
	marks
)

// markNames are the classes of the drawing and the words of the legend.
var markNames = [marks]struct{ class, text string }{
	{"prompt", "prompt step"},
	{"restore", "restore of a kept state"},
	{"pass", "draft pass"},
	{"round", "round"},
	{"stall", "stall: the reply waits for somebody's prompt"},
}

// span is a stretch of one mark.
type span struct {
	from, to core.Micros
	mark     mark
}

// lane is one row of a timeline: the device, or a slot.
type lane struct {
	spans []span
	cells []cell
}

// cell is the time of each mark in one column.
type cell [marks]uint32

// columns cut time into cells of equal width, from origin.
type columns struct {
	origin, width core.Micros
	cells         []cell
}

// add spreads a span over its columns; what lies outside is dropped.
func (c *columns) add(s span) {
	from := max(s.from-c.origin, 0)
	to := min(s.to-c.origin, c.width*core.Micros(len(c.cells)))
	for from < to {
		i := from / c.width
		end := min((i+1)*c.width, to)
		c.cells[i][s.mark] += uint32(end - from)
		from = end
	}
}

// fold halves the number of columns that are in use.
func fold(cells []cell) {
	half := len(cells) / 2
	for i := range half {
		for m := range cells[i] {
			cells[i][m] = cells[2*i][m] + cells[2*i+1][m]
		}
	}
	clear(cells[half:])
}
