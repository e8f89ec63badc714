package view

import (
	"strconv"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/tui/state"
)

// kinds are what a column of the strip can show, by rank: of two that fill it
// alike the first wins.
var kinds = [...]struct {
	kind  core.EventKind
	style Style
	glyph string
	label string
}{
	{core.EventStep, Step, "█", "step"},
	{core.EventRound, Round, "▓", "round"},
	{core.EventPass, Pass, "▒", "pass"},
	{core.EventBegin, Begin, "░", "restore"},
}

// drawStrip shows the last actions on a scale of time.
func drawStrip(a area, s *Scene) {
	title := "device, the last " + span(s.Window)
	body := heading(a, title, false)
	x := len(title) + 5
	for _, k := range kinds {
		if x+len(k.label)+4 > a.Dx() {
			break
		}
		x = a.put(x, 0, Plain, " ")
		x = a.put(x, 0, k.style, k.glyph)
		x = a.put(x, 0, Dim, " "+k.label+" ")
	}
	end := max(s.State.Now, s.State.Origin+s.Window)
	if s.Other != nil {
		end = max(end, s.Other.Now)
	}
	// A track starts with its name.
	const names = 4
	axis := scale{end - s.Window, s.Window, body.Dx() - names}
	y := 0
	put := func(name string, st *state.State, ahead *core.Event, slot int) {
		body.number(0, y, names-1, Dim, name)
		track(body.part(names, y, axis.columns, 1), axis, st, ahead, slot)
		y++
	}
	if s.Other != nil {
		put("old", s.State, s.Ahead, -1)
		put("new", s.Other, s.OtherAhead, -1)
	} else {
		put("all", s.State, s.Ahead, -1)
		for slot := 0; y < body.Dy()-1; slot++ {
			put(strconv.Itoa(slot), s.State, s.Ahead, slot)
		}
	}
	ticks(body.part(names, y, axis.columns, 1), axis, s.State.Origin)
}

// scale maps time to columns.
type scale struct {
	from, window core.Micros
	columns      int
}

// column is where a time falls, and how far into the column.
func (c scale) column(t core.Micros) float64 {
	return float64(t-c.from) * float64(c.columns) / float64(c.window)
}

// track draws one line of actions: of the whole device, or of one slot.
func track(a area, axis scale, st *state.State, ahead *core.Event, slot int) {
	if axis.columns < 1 {
		return
	}
	cover := make([][len(kinds)]float32, axis.columns)
	add := func(k int, from, to core.Micros) {
		x, end := axis.column(from), min(axis.column(to), float64(axis.columns))
		x = max(x, 0)
		for x < end {
			next := min(float64(int(x)+1), end)
			cover[int(x)][k] += float32(next - x)
			x = next
		}
	}
	for age := range st.Spans.Len() {
		span := st.Spans.At(age)
		if span.End < axis.from {
			break
		}
		if slot >= 0 && (slot > 63 || span.Slots&(1<<slot) == 0) {
			continue
		}
		for k := range kinds {
			if kinds[k].kind == span.Kind {
				add(k, span.Start, span.End)
			}
		}
	}
	if ahead != nil && (slot < 0 || ahead.Kind == core.EventStep && ahead.Slot == slot) {
		for k := range kinds {
			if kinds[k].kind == ahead.Kind {
				add(k, ahead.At-ahead.Wall, min(ahead.At, st.Now))
			}
		}
	}
	for x := range cover {
		best, most, sum := -1, float32(0), float32(0)
		for k, part := range cover[x] {
			sum += part
			if part > most {
				best, most = k, part
			}
		}
		switch {
		case best < 0 || sum < 0.05:
			a.put(x, 0, Dim, "·")
		case slot >= 0 && kinds[best].kind == core.EventRound:
			a.put(x, 0, kinds[best].style, "▄")
		default:
			a.put(x, 0, kinds[best].style, kinds[best].glyph)
		}
	}
}

// ticks draws the axis: a mark and the time about every 20 columns.
func ticks(a area, axis scale, origin core.Micros) {
	if axis.columns < 1 {
		return
	}
	step := nice(axis.window * 20 / core.Micros(axis.columns))
	first := (axis.from - origin + step - 1) / step * step
	for t := first; t <= axis.from-origin+axis.window; t += step {
		x := int(axis.column(t + origin))
		label := "╵" + span(t)
		if x+len(label) <= a.Dx() {
			a.put(x, 0, Dim, label)
		}
	}
}

// nice is the least of 1, 2 and 5 times a power of ten that is not less.
func nice(t core.Micros) core.Micros {
	for p := core.Micros(1000); ; p *= 10 {
		for _, m := range [...]core.Micros{1, 2, 5} {
			if p*m >= t {
				return p * m
			}
		}
	}
}
