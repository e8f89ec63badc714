package view

// drawOverlay shows a dialog in the middle of an area, its cursor in view.
func drawOverlay(a area, o *Overlay) {
	w := min(a.Dx(), 100)
	h := min(a.Dy(), max(len(o.Lines)+len(o.Foot)+2, a.Dy()*2/3))
	box := a.part((a.Dx()-w)/2, (a.Dy()-h)/2, w, h)
	body := heading(box, o.Title, true)
	foot := min(len(o.Foot), max(body.Dy()-3, 0))
	list := body.part(1, 0, body.Dx()-2, body.Dy()-foot)
	first := 0
	if o.Cursor >= 0 && len(o.Lines) > list.Dy() {
		first = min(max(o.Cursor-list.Dy()/2, 0), len(o.Lines)-list.Dy())
	}
	for y := range min(list.Dy(), len(o.Lines)-first) {
		list.line(y, o.Lines[first+y])
		if first+y == o.Cursor {
			list.selectRow(y)
		}
	}
	end := body.part(1, body.Dy()-foot, body.Dx()-2, foot)
	for y, l := range o.Foot[:foot] {
		end.line(y, l)
	}
}

// line writes a line's parts one after another.
func (a area) line(y int, l Line) {
	x := 0
	for i, p := range l {
		if i == len(l)-1 {
			a.field(x, y, a.Dx()-x, p.Style, p.Text)
			return
		}
		x = a.put(x, y, p.Style, p.Text)
	}
}
