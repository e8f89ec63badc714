package view

import (
	"charm.land/bubbles/v2/key"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/tui/state"
)

// Pane names a part of the screen that can have the focus.
type Pane int

// The panes, in the order of the tab key.
const (
	Slots Pane = iota
	Rounds
	Costs
	Queue
	Totals
	Detail
	Compare
	numPanes
)

var paneNames = [numPanes]string{"slots", "rounds", "costs", "queue", "totals", "detail", "compare"}

func (p Pane) String() string { return paneNames[p] }

// NextPane is the pane by steps after another; compare is one only where two
// runs are compared.
func NextPane(p Pane, by int, compared bool) Pane {
	n := int(numPanes)
	if !compared {
		n--
	}
	return Pane(((int(p)+by)%n + n) % n)
}

// Scene is all that a frame shows.
type Scene struct {
	State *state.State
	// Other is the run in which settings were changed, nil for none; Changed
	// are those settings.
	Other   *state.State
	Changed []string
	// Held is when they took hold, core.Never while that is to come.
	Held core.Micros
	// Ahead is what the device does now, nil if unknown.
	Ahead, OtherAhead *core.Event

	// Title names what is shown, Mode how it plays: "▶ 10×", "paused", "live".
	Title, Mode string
	// Message is the last thing to say, Alarm that it is an error.
	Message string
	Alarm   bool

	Focus Pane
	// Slot is the selected slot; Round the selected round's number, 0 for the
	// newest; Row the first row shown of other panes.
	Slot  int
	Round int64
	Row   int
	// Window is the time that the strip spans.
	Window core.Micros

	// Help are the keys that matter now.
	Help []key.Binding
	// Overlay covers the panes, nil for none.
	Overlay *Overlay
}

// Overlay is a dialog over the panes.
type Overlay struct {
	Title string
	Lines []Line
	// Cursor is the selected line, below 0 for none; it is kept in view.
	Cursor int
	// Foot are lines that stay at the bottom.
	Foot []Line
}

// Line is a line of parts.
type Line []Part

// Part is a piece of a line.
type Part struct {
	Style Style
	Text  string
}

// Of is a line of one part.
func Of(style Style, text string) Line { return Line{{style, text}} }
