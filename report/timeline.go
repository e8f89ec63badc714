package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tfsim/tfsim/core"
)

// A timeline is drawn in units of its own: its width is timelineWidth whatever
// the screen's, and a pixel of height is ten units.
const (
	timelineWidth = 10_000
	perPixel      = 10
	// mostShapes is the number of spans up to which a lane shows each.
	mostShapes = 500
)

// look is how tall and how fine a slot's lane is, by the number of slots.
type look struct {
	strip, bar int // pixels: of the names above the bar, of the bar
	columns    int // of a lane with too many spans
	levels     int // heights that a share in a column may have
}

// deviceBar is the height of the device's bar.
const deviceBar = 14

func lookOf(slots int) look {
	switch {
	case slots <= 8:
		return look{strip: 13, bar: 14, columns: 1000, levels: 16}
	case slots <= 24:
		return look{bar: 11, columns: 500, levels: 11}
	default:
		return look{bar: 5, columns: 250, levels: 5}
	}
}

// timeline is one run over a window of time.
type timeline struct {
	Arm      string
	Index    int // of the arm
	Height   int // pixels
	Lanes    []laneLabel
	Bands    []shape
	Paths    []path
	Grid     string
	Ticks    []placed
	Names    []placed
	Summary  string // of the whole run, if it is shown whole
	Columned bool
}

type laneLabel struct {
	Text   string
	Height int
}

type shape struct {
	X, Y, W, H int
	Title      string
}

type path struct{ Class, D string }

// placed is a text at a part of the width, Top pixels down.
type placed struct {
	Left, Width string
	Top         int
	Text        string
}

// newTimeline draws a run over a window.
func newTimeline(r *Run, index int, window span) *timeline {
	t := &timeline{Arm: r.Place.Arm, Index: index}
	if window.to <= window.from {
		window.to = window.from + 1
	}
	slots := len(r.lanes) - 1
	k := lookOf(slots)
	tops := make([]int, len(r.lanes))
	for i := range r.lanes {
		tops[i] = t.Height
		h := deviceBar + 6
		if i > 0 {
			tops[i] += k.strip
			h = k.strip + k.bar + 2
		}
		t.Height += h
		t.Lanes = append(t.Lanes, laneLabel{laneText(i, slots, h), h})
	}
	t.bands(r, window, tops, k)
	var ds [marks]strings.Builder
	for i, l := range r.lanes {
		k := k
		if i == 0 {
			k.bar = deviceBar
		}
		if t.lane(&ds, r, l, window, tops[i], k) {
			t.Columned = true
		}
	}
	for m := range marks {
		if ds[m].Len() > 0 {
			t.Paths = append(t.Paths, path{markNames[m].class, ds[m].String()})
		}
	}
	var grid strings.Builder
	for _, at := range timeTicks(window.from, window.to, 6) {
		x := int(at.at*timelineWidth + 0.5)
		fmt.Fprintf(&grid, "M%d 0v%d", x, t.Height*perPixel)
		t.Ticks = append(t.Ticks, placed{Left: percent(x), Text: at.text})
	}
	t.Grid = grid.String()
	return t
}

func laneText(i, slots, height int) string {
	switch {
	case i == 0:
		return "device"
	case height >= 12:
		return "slot " + strconv.Itoa(i-1)
	case i == 1:
		return fmt.Sprintf("%d slots", slots)
	default:
		return ""
	}
}

func percent(x int) string { return fmt.Sprintf("%d.%02d%%", x/100, x%100) }

// place is a time's place on the width, within it.
func (w span) place(t core.Micros) int {
	t = min(max(t, w.from), w.to)
	return int(int64(float64(t-w.from) / float64(w.to-w.from) * timelineWidth))
}

// bands draws the requests' stays, and their names where they fit.
func (t *timeline) bands(r *Run, window span, tops []int, k look) {
	for _, b := range r.stays() {
		if b.to < window.from || b.from > window.to {
			continue
		}
		x, end := window.place(b.from), window.place(b.to)
		y := tops[b.lane] - k.strip
		t.Bands = append(t.Bands, shape{
			X: x, W: max(end-x, 4), Y: (y + 1) * perPixel, H: (k.bar + k.strip) * perPixel, Title: b.title(),
		})
		if k.strip > 0 && end-x > timelineWidth/20 {
			t.Names = append(t.Names, placed{Left: percent(x), Width: percent(end - x), Top: y + 1, Text: b.name})
		}
	}
}

func (b band) title() string {
	s := b.name + ": sent " + microsText(b.sent)
	if b.decodes {
		s += ", first token after " + microsText(b.first-b.sent)
	}
	return s + fmt.Sprintf(", %s after %s, %d tokens", b.ended, microsText(b.to-b.sent), b.tokens)
}

// lane draws one lane, each span or in columns, which it reports.
func (t *timeline) lane(ds *[marks]strings.Builder, r *Run, l *lane, window span, top int, k look) (columned bool) {
	if window.to <= r.whole || r.whole == core.Never {
		var in []span
		for _, s := range l.spans {
			if s.to > window.from && s.from < window.to {
				in = append(in, s)
			}
		}
		if len(in) <= mostShapes {
			for _, s := range in {
				x := window.place(s.from)
				rect(&ds[s.mark], x, top*perPixel, max(window.place(s.to)-x, 5), k.bar*perPixel)
			}
			return false
		}
	}
	c := r.cut(l, window, k.columns)
	for m := range marks {
		c.draw(&ds[m], m, window, top*perPixel, k)
	}
	return true
}

// draw stacks the columns' shares of the marks from below and draws one mark.
// Neighbours of the same height are one shape.
func (c *columns) draw(d *strings.Builder, m mark, window span, top int, k look) {
	height, levels := k.bar*perPixel, k.levels
	start, low, high := 0, 0, 0
	flush := func(i int) {
		if high > low {
			x := window.place(c.origin + core.Micros(start)*c.width)
			end := window.place(c.origin + core.Micros(i)*c.width)
			if end > x {
				rect(d, x, top+height*(levels-high)/levels, end-x, height*(high-low)/levels)
			}
		}
	}
	for i := range c.cells {
		a, b := c.level(i, m, levels), 0
		if c.cells[i][m] > 0 {
			b = min(max(c.level(i, m+1, levels), a+1), levels)
		}
		if b <= a {
			a, b = 0, 0
		}
		if a != low || b != high {
			flush(i)
			start, low, high = i, a, b
		}
	}
	flush(len(c.cells))
}

// level is the height of the marks before m in a column.
func (c *columns) level(i int, m mark, levels int) int {
	var sum core.Micros
	for before := range m {
		sum += core.Micros(c.cells[i][before])
	}
	return int((min(sum, c.width)*core.Micros(levels) + c.width/2) / c.width)
}

func rect(d *strings.Builder, x, y, w, h int) {
	fmt.Fprintf(d, "M%d %dh%dv%dh-%dz", x, y, w, h, w)
}

// summary tells a run in a sentence.
func (r *Run) summary() string {
	length := r.end - r.begin
	if length <= 0 {
		return "nothing ran"
	}
	share := func(t core.Micros) string {
		if part := int64((t*1000/length + 5) / 10); part > 0 || t == 0 {
			return strconv.FormatInt(part, 10) + "%"
		}
		return "under 1%"
	}
	busy := core.Micros(0)
	parts := []string{}
	for _, p := range []struct {
		m    mark
		name string
	}{{markPrompt, "prompts"}, {markRestore, "restores"}, {markPass, "draft passes"}, {markRound, "rounds"}} {
		busy += r.used[p.m]
		if r.used[p.m] > 0 {
			parts = append(parts, p.name+" "+share(r.used[p.m]))
		}
	}
	s := microsText(length) + " in all: " + strings.Join(append(parts, "idle "+share(max(length-busy, 0))), ", ")
	if r.stalled > 0 {
		s += "; replies stalled for " + microsText(r.stalled)
	}
	if r.queue > 1 {
		s += fmt.Sprintf("; at most %d waited", r.queue)
	}
	return s
}

// wholeOf is the time of all runs of a case.
func wholeOf(runs []*Run) span {
	var w span
	for i, r := range runs {
		if i == 0 || r.begin < w.from {
			w.from = r.begin
		}
		w.to = max(w.to, r.end)
	}
	return w
}

// closerOf chooses a window worth a closer look: where prompt steps run beside
// a reply, in the arms in which that is a small part of all, or some rounds.
func closerOf(runs []*Run, whole span) (span, bool) {
	var rounds int64
	var used, length core.Micros
	from, any := core.Never, core.Never
	for _, r := range runs {
		rounds += r.rounds
		used += r.used[markRound] + r.used[markPass]
		if !r.beside {
			continue
		}
		any = min(any, r.besides.from)
		if n := r.besides.to - r.besides.from; n <= (whole.to-whole.from)/4 {
			from, length = min(from, r.besides.from), max(length, n)
		}
	}
	if rounds == 0 {
		return span{}, false
	}
	round := used / core.Micros(rounds)
	switch {
	case from < core.Never:
		length = max(length+length/5, 15*round)
	case any < core.Never:
		from, length = any, 120*round
	default:
		from, length = whole.from, 120*round
	}
	if length > (whole.to-whole.from)/3 {
		return span{}, false
	}
	from = min(max(from-length/12, whole.from), whole.to-length)
	return span{from: from, to: from + length}, true
}
