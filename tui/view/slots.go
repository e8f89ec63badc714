package view

import (
	"strconv"
	"strings"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/tui/state"
)

// drawSlots shows a row for each slot, around the selected one if they do not
// all fit.
func drawSlots(a area, s *Scene) {
	st := s.State
	c := slotColumns(a.Dx())
	c.head(a)
	rows := a.Dy() - 1
	first := firstSlot(s, rows)
	if len(st.Slots) == 0 {
		a.put(2, 1, Dim, "no slot is used yet")
	}
	for i := range min(rows, len(st.Slots)) {
		slot := first + i
		c.row(a.part(0, 1+i, a.Dx(), 1), s, slot)
		if slot == s.Slot && s.Focus == Slots {
			a.selectRow(1 + i)
		}
	}
	if hidden := len(st.Slots) - rows; hidden > 0 {
		a.right(a.Dx(), 0, Dim, " +"+strconv.Itoa(hidden)+" more")
	}
}

// columns are the widths of the slots' columns; 0 leaves one out.
type columns struct {
	name, phase, bar, rows, position, rate, gap, drafts, owed int
}

func slotColumns(width int) columns {
	c := columns{name: 9, phase: 9, bar: 10, rate: 7, gap: 8, drafts: 10}
	if width >= 78 {
		c.position, c.owed = 9, 8
	}
	if width >= 110 {
		c.rows, c.name, c.owed = 17, 16, 9
	}
	used := 4 + c.name + c.phase + c.bar + c.rows + c.position + c.rate + c.gap + c.drafts + c.owed
	spare := max(width-used, 0)
	c.bar += min(spare*3/4, 60)
	c.name += min(spare/4, 24)
	return c
}

func (c columns) head(a area) {
	x := a.put(0, 0, Dim, "  #") + 1
	x = a.field(x, 0, c.name, Dim, "request")
	x = a.field(x, 0, c.phase, Dim, "state")
	x = a.field(x, 0, c.bar, Dim, "progress")
	for _, n := range []struct {
		width int
		text  string
	}{{c.rows, "rows, tokens"}, {c.position, "position"}, {c.rate, "tok/s"}, {c.gap, "gap"}, {c.drafts, "kept"}, {c.owed, "owed"}} {
		x = a.number(x, 0, n.width, Dim, n.text)
	}
}

func (c columns) row(a area, s *Scene, slot int) {
	mark := " "
	if slot == s.Slot {
		mark = "›"
	}
	x := a.put(0, 0, Key, mark)
	x = a.number(x, 0, 2, Dim, strconv.Itoa(slot)) + 1
	r := s.State.Slots[slot]
	if r == nil {
		a.put(x, 0, Dim, "free")
		return
	}
	x = a.field(x, 0, c.name-1, Plain, title(r)) + 1
	style := Round
	if r.Phase == state.Filling {
		style = Step
	}
	x = a.field(x, 0, c.phase, style, r.Phase.String())
	// A prompt's rows while it fills, then the reply's tokens.
	in, of := filled(r, s.Ahead, s.State.Now), r.Need
	if r.Phase == state.Decoding {
		in, of = r.Emitted, r.Output
	}
	bar(a, x, 0, c.bar-1, style, fraction(in, of))
	x += c.bar
	if c.rows > 0 {
		x = a.number(x, 0, c.rows, Plain, count(int64(in))+"/"+count(int64(of)))
	}
	if c.position > 0 {
		x = a.number(x, 0, c.position, Plain, count(int64(r.Position())))
	}
	x = a.number(x, 0, c.rate, Plain, rate(r.Rate()))
	gap, open := r.LastGap, s.State.Now-r.Last
	gapStyle := Plain
	if r.Phase == state.Decoding && r.LastGap > 0 && open > 2*r.LastGap && open > 100_000 {
		gap, gapStyle = open, Bad // it waits for longer than it did before
	}
	x = a.number(x, 0, c.gap, gapStyle, timed(gap, r.Rounds > 0 || gap > 0))
	kept := absent
	if r.Drafts > 0 {
		kept = short(r.Kept) + "/" + short(r.Drafts)
	}
	x = a.number(x, 0, c.drafts, Plain, kept)
	if c.owed > 0 && r.Phase == state.Filling && s.State.Owed > 0 {
		a.number(x, 0, c.owed, Warn, span(s.State.Owed))
	}
}

// title is a request's name, or its number.
func title(r *state.Request) string {
	if r.Name != "" {
		return r.Name
	}
	return name("", r.ID)
}

func name(text string, id core.ID) string {
	if text != "" {
		return text
	}
	return "#" + strconv.FormatUint(uint64(id), 10)
}

// filled is the prompt rows that are in, with those of the step that runs as
// far as its time has come.
func filled(r *state.Request, ahead *core.Event, now core.Micros) int {
	if ahead == nil || ahead.Kind != core.EventStep || ahead.ID != r.ID || ahead.Wall <= 0 {
		return r.Filled
	}
	began := ahead.At - ahead.Wall
	if now <= began {
		return r.Filled
	}
	return r.Filled + int(float64(ahead.Rows)*min(float64(now-began)/float64(ahead.Wall), 1))
}

func fraction(n, of int) float64 {
	if of <= 0 {
		return 0
	}
	return min(float64(n)/float64(of), 1)
}

var eighths = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// bar draws a part from 0 to 1 as a bar, to an eighth of a column.
func bar(a area, x, y, width int, style Style, part float64) {
	if width < 1 {
		return
	}
	n := int(part*float64(8*width) + 0.5)
	full := n / 8
	end := a.put(x, y, style, strings.Repeat("█", full))
	if n%8 > 0 {
		end = a.put(end, y, style, eighths[n%8])
	}
	a.put(end, y, Dim, strings.Repeat("·", max(x+width-end, 0)))
}

// SlotAt is the slot shown in a row of a screen of a height.
func SlotAt(s *Scene, height, y int) (slot int, ok bool) {
	n := len(s.State.Slots)
	rows := slotRows(s, height)
	if y < 2 || y >= 2+min(rows, n) {
		return 0, false
	}
	return firstSlot(s, rows) + y - 2, true
}

// firstSlot is the slot of the first row.
func firstSlot(s *Scene, rows int) int {
	return max(min(s.Slot-rows/2, len(s.State.Slots)-rows), 0)
}
