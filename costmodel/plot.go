package costmodel

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// plotLines is the height of the drawing of a launch's costs.
const plotLines = 12

// draw plots what a launch costs by its rows: one sequence as a braille curve,
// one row for each of n sequences as marks.
func (t *Table) draw(p *page) {
	if t.Limits.Rows < 1 {
		return
	}
	price := func(windows, rows int) float64 {
		n, _ := t.Launch(Load{Windows: windows, Rows: rows})
		return float64(n) / 1e6
	}
	most := 0.0
	for rows := 1; rows <= t.Limits.Rows; rows++ {
		most = max(most, price(1, rows))
		if rows <= t.Limits.Windows {
			most = max(most, price(rows, rows))
		}
	}
	top := roundUp(most)
	labels := []string{rounded(top) + " ms", rounded(top / 2), "0"}
	margin := max(len(labels[0]), len(labels[1]))
	c := newCanvas(min(p.width-margin-4, 96), plotLines, t.Limits.Rows, top)
	for x := range c.width * 2 {
		c.dot(x, price(1, c.rowsAt(x)))
	}
	for n := 1; n <= min(t.Limits.Windows, t.Limits.Rows); n++ {
		c.mark(n, price(n, n))
	}
	p.prose("  ", "cost of a launch: ⠒ one sequence, o one row for each of n sequences")
	for y, line := range c.lines() {
		label, axis := "", "│"
		switch y {
		case 0:
			label, axis = labels[0], "┤"
		case plotLines / 2:
			label, axis = labels[1], "┤"
		}
		p.WriteString(strings.TrimRight(fmt.Sprintf("  %*s %s%s", margin, label, axis, line), " ") + "\n")
	}
	p.writeAxis(margin, labels[2], c)
}

// writeAxis writes the axis of rows and labels some of them.
func (p *page) writeAxis(margin int, zero string, c *canvas) {
	ticks := []rune(strings.Repeat("─", c.width))
	text := []rune(strings.Repeat(" ", c.width+12))
	free := 0
	for _, rows := range []int{1, (c.most + 3) / 4, (c.most + 1) / 2, (3*c.most + 3) / 4, c.most} {
		x := c.cellOf(rows)
		label := strconv.Itoa(rows)
		if rows == c.most {
			label += " rows"
		}
		if x < free || ticks[x] != '─' {
			continue
		}
		ticks[x] = '┬'
		at := min(x, c.width-len(label))
		at = max(at, free)
		copy(text[at:], []rune(label))
		free = at + len(label) + 1
	}
	fmt.Fprintf(p, "  %*s └%s\n", margin, zero, string(ticks))
	p.WriteString(strings.TrimRight(fmt.Sprintf("  %*s  %s", margin, "", string(text)), " ") + "\n")
}

// roundUp is the least of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of
// ten that is at least v.
func roundUp(v float64) float64 {
	if v <= 0 {
		return 1
	}
	unit := math.Pow10(int(math.Floor(math.Log10(v))))
	for _, step := range []float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8} {
		if step*unit >= v {
			return step * unit
		}
	}
	return 10 * unit
}

// canvas is a field of braille cells, two dots across and four down each, over
// rows 1 to most and 0 to top ms.
type canvas struct {
	width, height, most int
	top                 float64
	dots                [][]rune
	last                int
}

func newCanvas(width, height, most int, top float64) *canvas {
	c := &canvas{width: max(width, 8), height: height, most: most, top: top, last: -1}
	c.dots = make([][]rune, height)
	for y := range c.dots {
		c.dots[y] = make([]rune, c.width)
	}
	return c
}

// rowsAt is the number of rows nearest to a column of dots.
func (c *canvas) rowsAt(x int) int {
	return 1 + (x*(c.most-1)+c.width-1)/(2*c.width-1)
}

// cellOf is the column of cells that a number of rows falls in.
func (c *canvas) cellOf(rows int) int {
	if c.most == 1 {
		return 0
	}
	return (rows - 1) * (c.width - 1) / (c.most - 1)
}

// dotOf is the line of dots, from the top, that a cost falls in.
func (c *canvas) dotOf(ms float64) int {
	last := 4*c.height - 1
	return last - min(last, int(math.Round(ms/c.top*float64(last))))
}

// braille is the bit of each dot of a cell, by its line and column.
var braille = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// dot draws the curve at a column of dots, joined to the column before.
func (c *canvas) dot(x int, ms float64) {
	y := c.dotOf(ms)
	from := y
	switch {
	case c.last < 0 || c.last == y:
	case c.last < y:
		from = c.last + 1
	default:
		from = c.last - 1
	}
	for line := min(from, y); line <= max(from, y); line++ {
		c.dots[line/4][x/2] |= braille[line%4][x%2]
	}
	c.last = y
}

// mark draws a mark over the curve.
func (c *canvas) mark(rows int, ms float64) {
	c.dots[c.dotOf(ms)/4][c.cellOf(rows)] = 'o'
}

// lines are the canvas's lines, from the top.
func (c *canvas) lines() []string {
	out := make([]string, c.height)
	for y, cells := range c.dots {
		line := make([]rune, c.width)
		for x, v := range cells {
			switch v {
			case 0:
				line[x] = ' '
			case 'o':
				line[x] = 'o'
			default:
				line[x] = 0x2800 + v
			}
		}
		out[y] = string(line)
	}
	return out
}
