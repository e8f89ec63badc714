package view

import (
	"image"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
)

// Cell is one place of the screen. The second cell of a wide character has no
// text.
type Cell struct {
	Text     string
	Style    Style
	Selected bool
}

// Grid is a screen of cells.
type Grid struct {
	W, H  int
	cells []Cell
}

// Reset makes it a blank screen of a size.
func (g *Grid) Reset(w, h int) {
	g.W, g.H = max(w, 0), max(h, 0)
	n := g.W * g.H
	if cap(g.cells) < n {
		g.cells = make([]Cell, n)
	}
	g.cells = g.cells[:n]
	for i := range g.cells {
		g.cells[i] = Cell{Text: " "}
	}
}

// At is the cell at a place of the screen.
func (g *Grid) At(x, y int) *Cell { return &g.cells[y*g.W+x] }

// area is the part of a grid that a pane draws into; places count from its
// corner.
type area struct {
	g *Grid
	image.Rectangle
}

// all is the whole screen.
func (g *Grid) all() area { return area{g, image.Rect(0, 0, g.W, g.H)} }

// part is a rectangle of the area, cut to it.
func (a area) part(x, y, w, h int) area {
	r := image.Rect(x, y, x+max(w, 0), y+max(h, 0)).Add(a.Min).Intersect(a.Rectangle)
	return area{a.g, r}
}

// below drops rows from the top.
func (a area) below(rows int) area { return a.part(0, rows, a.Dx(), a.Dy()-rows) }

// put writes a text from a place on and returns the place after it. What lies
// outside the area is cut; control characters are shown as a middle dot.
func (a area) put(x, y int, style Style, text string) int {
	py := a.Min.Y + y
	visible := py >= a.Min.Y && py < a.Max.Y
	for len(text) > 0 {
		n, width := 1, 1
		cell := text[:1]
		if c := text[0]; c >= utf8.RuneSelf {
			var r rune
			r, n = utf8.DecodeRuneInString(text)
			cell = text[:n]
			switch {
			case r == utf8.RuneError || unicode.IsControl(r):
				cell = "·"
			case r >= 0x2500 && r < 0x2600 || r < 0x300: // what panes draw with
			default:
				width = lipgloss.Width(cell)
			}
		} else if c < ' ' || c == 0x7f {
			cell = "·"
		}
		text = text[n:]
		if width == 0 {
			continue
		}
		px := a.Min.X + x
		x += width
		if !visible || px < a.Min.X || px+width > a.Max.X {
			continue
		}
		to := a.g.At(px, py)
		to.Text, to.Style = cell, style
		if width == 2 {
			next := a.g.At(px+1, py)
			next.Text, next.Style = "", style
		}
	}
	return x
}

// field writes a text into a number of columns; one too long ends in "…".
func (a area) field(x, y, width int, style Style, text string) int {
	f := a.part(x, y, width, 1)
	if lipgloss.Width(text) <= width {
		f.put(0, 0, style, text)
		return x + width
	}
	f.put(0, 0, style, text)
	if f.Dx() > 0 {
		last := f.g.At(f.Max.X-1, f.Min.Y)
		if last.Text == "" && f.Dx() > 1 { // half of a wide character
			f.put(f.Dx()-2, 0, style, " ")
		}
		f.put(f.Dx()-1, 0, style, "…")
	}
	return x + width
}

// right writes a text that ends before a place.
func (a area) right(end, y int, style Style, text string) {
	a.put(end-lipgloss.Width(text), y, style, text)
}

// number writes a text at the right of a number of columns.
func (a area) number(x, y, width int, style Style, text string) int {
	a.part(x, y, width, 1).right(width, 0, style, text)
	return x + width
}

// selectRow shows a row as selected.
func (a area) selectRow(y int) {
	if y < 0 || y >= a.Dy() {
		return
	}
	for x := a.Min.X; x < a.Max.X; x++ {
		a.g.At(x, a.Min.Y+y).Selected = true
	}
}

// Text is the grid for a terminal.
func (g *Grid) Text(t *Theme) string {
	var b strings.Builder
	b.Grow(len(g.cells) * 2)
	for y := range g.H {
		if y > 0 {
			b.WriteByte('\n')
		}
		row := g.cells[y*g.W : (y+1)*g.W]
		for x := 0; x < len(row); {
			first := row[x]
			k := 0
			if first.Selected {
				k = 1
			}
			b.WriteString(t.before[k][first.Style])
			for ; x < len(row) && row[x].Style == first.Style && row[x].Selected == first.Selected; x++ {
				b.WriteString(row[x].Text)
			}
			b.WriteString(t.after[k][first.Style])
		}
	}
	return b.String()
}

// String is the grid's bare text, blanks at line ends dropped.
func (g *Grid) String() string {
	var b strings.Builder
	for y := range g.H {
		var line strings.Builder
		for _, c := range g.cells[y*g.W : (y+1)*g.W] {
			line.WriteString(c.Text)
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}
