package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tui/view"
)

// cellsDialog chooses the world, case and arm to play.
type cellsDialog struct {
	pick
	cells  []study.Title
	played int
}

func newCellsDialog(cells []study.Title, played int) *cellsDialog {
	d := &cellsDialog{pick: newPick(), cells: cells, played: played}
	d.cursor = played
	return d
}

// found are the places of the cells that match the search.
func (d *cellsDialog) found() []int {
	var at []int
	for i, c := range d.cells {
		if d.matches(c.World + " " + c.Case + " " + c.Arm) {
			at = append(at, i)
		}
	}
	return at
}

func (d *cellsDialog) press(m *Model, k tea.KeyPressMsg) (bool, tea.Cmd) {
	found := d.found()
	switch {
	case d.pick.press(k, len(found)):
		return true, nil
	case key.Matches(k, keys.Close), key.Matches(k, keys.Quit), key.Matches(k, keys.Cells):
		return false, nil
	case key.Matches(k, keys.Open) && len(found) > 0:
		return false, m.show.choose(found[min(d.cursor, len(found)-1)])
	}
	return true, nil
}

func (d *cellsDialog) overlay() *view.Overlay {
	o := &view.Overlay{Title: "case and arm", Cursor: d.cursor, Foot: []view.Line{d.foot("enter plays from the start, esc closes")}}
	for _, i := range d.found() {
		c := d.cells[i]
		mark := "  "
		if i == d.played {
			mark = "▶ "
		}
		l := view.Line{{Style: view.Key, Text: mark}, {Style: view.Plain, Text: pad(c.Case, 24)}, {Style: view.Strong, Text: " " + pad(c.Arm, 24)}}
		if c.World != "" {
			l = append(l, view.Part{Style: view.Dim, Text: " " + c.World})
		}
		o.Lines = append(o.Lines, l)
	}
	o.Cursor = min(o.Cursor, len(o.Lines)-1)
	return o
}
