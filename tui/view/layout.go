package view

// The least size of a screen.
const (
	MinWidth  = 60
	MinHeight = 20
)

// Draw fills the grid with the scene.
func Draw(g *Grid, s *Scene) {
	all := g.all()
	if g.W < MinWidth || g.H < MinHeight {
		all.put(0, 0, Warn, "The window is too small:")
		all.put(0, 1, Plain, sizes(g.W, g.H))
		return
	}
	drawHeader(all.part(0, 0, g.W, 1), s)
	drawFooter(all.part(0, g.H-1, g.W, 1), s)
	body := all.part(0, 1, g.W, g.H-2)
	if s.Overlay != nil {
		drawOverlay(body, s.Overlay)
		return
	}
	rows := slotRows(s, g.H)
	drawSlots(body.part(0, 0, g.W, rows+1), s)
	strip := stripRows(s, g.H)
	drawStrip(body.part(0, rows+1, g.W, strip), s)
	drawPanes(body.below(rows+1+strip), s)
}

// slotRows is the number of rows for slots: all, if a quarter of the screen
// holds them.
func slotRows(s *Scene, height int) int {
	return min(max(len(s.State.Slots), 1), max(4, height/4))
}

// stripRows is the height of the strip with its title and axis.
func stripRows(s *Scene, height int) int {
	rows := 3
	if s.Other != nil {
		rows++
	}
	if height >= 30 && s.Other == nil {
		rows += min(len(s.State.Slots), height/8)
	}
	return rows
}

// drawPanes parts what is left by the room there is: one pane, two beside each
// other, or three columns.
func drawPanes(a area, s *Scene) {
	switch {
	case a.Dx() >= 160 && a.Dy() >= 20:
		w := a.Dx() / 3
		left, middle, right := a.part(0, 0, w-2, a.Dy()), a.part(w, 0, w-2, a.Dy()), a.part(2*w, 0, a.Dx()-2*w, a.Dy())
		if s.Other != nil {
			drawCompare(part(&left, left.Dy()/2), s)
		}
		drawRounds(left, s)
		drawTotals(part(&middle, totalRows(middle.Dx(), s)), s)
		drawDetail(middle, s)
		drawQueue(part(&right, max(6, right.Dy()/3)), s)
		drawCosts(right, s)
	case a.Dx() >= 110 && a.Dy() >= 14:
		w := a.Dx() / 2
		left, right := a.part(0, 0, w-2, a.Dy()), a.part(w, 0, a.Dx()-w, a.Dy())
		first := Rounds
		if s.Other != nil {
			first = Compare
		}
		if a.Dy() >= 22 {
			second := s.Focus
			if second == Slots || second == first || second == Totals {
				second = Detail
			}
			drawTotals(part(&right, totalRows(right.Dx(), s)), s)
			drawPane(first, part(&left, left.Dy()*2/3), s)
			drawPane(second, right, s)
			drawCosts(left, s)
			return
		}
		drawPane(first, left, s)
		drawPane(one(s, Totals, first), right, s)
	case a.Dx() >= 78 && a.Dy() >= 8:
		drawPane(one(s, Rounds, Totals), a.part(0, 0, a.Dx()-30, a.Dy()), s)
		drawTotals(a.part(a.Dx()-28, 0, 28, a.Dy()), s)
	default:
		drawPane(one(s, Rounds, Slots), a, s)
	}
}

// one is the pane with the focus, or otherwise where that is shown anyway.
func one(s *Scene, otherwise, shown Pane) Pane {
	switch {
	case s.Focus == Slots && s.Other != nil && shown != Compare:
		return Compare
	case s.Focus == Slots || s.Focus == shown:
		return otherwise
	}
	return s.Focus
}

func drawPane(p Pane, a area, s *Scene) {
	switch p {
	case Rounds:
		drawRounds(a, s)
	case Costs:
		drawCosts(a, s)
	case Queue:
		drawQueue(a, s)
	case Totals:
		drawTotals(a, s)
	case Detail:
		drawDetail(a, s)
	case Compare:
		drawCompare(a, s)
	}
}

// part cuts rows from an area's top.
func part(a *area, rows int) area {
	top := a.part(0, 0, a.Dx(), rows)
	*a = a.below(rows)
	return top
}

// heading draws a pane's title on its first row and gives the rest.
func heading(a area, title string, focus bool) area {
	style := Dim
	if focus {
		style = Title
	}
	x := a.put(0, 0, style, "─ ")
	if focus {
		x = a.put(x, 0, Title, title)
	} else {
		x = a.put(x, 0, Strong, title)
	}
	x = a.put(x, 0, style, " ")
	for ; x < a.Dx(); x++ {
		a.put(x, 0, style, "─")
	}
	return a.below(1)
}
