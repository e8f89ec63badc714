package view

import "strconv"

// drawCosts shows, for each shape of round and each size of pass, the price
// believed against the time measured.
func drawCosts(a area, s *Scene) {
	body := heading(a, "costs: believed, measured", s.Focus == Costs)
	columns := []int{8, 6, 8, 9, 9, 6}
	x := 0
	for i, text := range []string{"work", "rows", "count", "believed", "measured", "×"} {
		if i == 0 {
			x = body.field(1, 0, columns[0], Dim, text)
			continue
		}
		x = body.number(x, 0, columns[i], Dim, text)
	}
	shapes := s.State.Shapes()
	first := 0
	if s.Focus == Costs {
		first = min(s.Row, max(len(shapes)-1, 0))
	}
	for y, k := range shapes[first:] {
		if y+1 >= body.Dy() {
			break
		}
		rows, style, work := strconv.Itoa(k.Rows), Round, strconv.Itoa(k.Windows)+"-round"
		if k.Rows == 0 {
			rows, style, work = absent, Pass, strconv.Itoa(k.Windows)+"-pass"
		}
		x := body.field(1, y+1, columns[0], style, work)
		x = body.number(x, y+1, columns[1], Plain, rows)
		x = body.number(x, y+1, columns[2], Plain, count(k.N))
		x = body.number(x, y+1, columns[3], Plain, millis(k.Believed()))
		x = body.number(x, y+1, columns[4], Plain, span(k.Measured()))
		ratio, ok := k.Ratio()
		if !ok {
			body.number(x, y+1, columns[5], Dim, absent)
			continue
		}
		x = body.number(x, y+1, columns[5], ratioStyle(ratio), fixed(ratio, 2))
		if room := body.Dx() - x - 2; room >= 8 {
			deviation(body, x+2, y+1, min(room, 24), ratio)
		}
	}
	if len(shapes) == 0 {
		body.put(1, 1, Dim, "nothing priced yet")
	}
}

// deviation draws how far a ratio is from 1: to the left cheaper, to the right
// dearer; the edges are half and twice.
func deviation(a area, x, y, width int, ratio float64) {
	half := width / 2
	off := min(max(ratio-1, -0.5), 1)
	if off < 0 {
		off *= 2
	}
	n := int(off*float64(half) + 0.5)
	if off < 0 {
		n = int(off*float64(half) - 0.5)
	}
	for i := -half; i <= half; i++ {
		switch {
		case i == 0:
			a.put(x+half, y, Dim, "│")
		case n < 0 && i >= n && i < 0:
			a.put(x+half+i, y, Good, "█")
		case n > 0 && i <= n && i > 0:
			a.put(x+half+i, y, Bad, "█")
		}
	}
}
