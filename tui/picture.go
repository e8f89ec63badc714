package tui

import (
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tui/svg"
	"github.com/tfsim/tfsim/tui/view"
)

// Shot says what to take a picture of.
type Shot struct {
	// At is the time to play to, Window the time that the strip spans, about.
	At, Window core.Micros
	// Width and Height are those of the screen.
	Width, Height int
	// Round selects the last round.
	Round bool
}

// Picture plays a file and draws the frame of a moment as SVG.
func Picture(w io.Writer, f *scenario.File, o study.Options, shot Shot) error {
	s, err := newShow(f, o)
	if err != nil {
		return err
	}
	m := newModel(true)
	m.show = s
	m.width, m.height = shot.Width, shot.Height
	for m.window = 0; m.window < len(windows)-1 && windows[m.window] < shot.Window; m.window++ {
	}
	finish(m, s.seek(untilTime(shot.At), false))
	if m.err != nil {
		return m.err
	}
	s.speed, s.playing = normal, true // as it shows while it plays
	if shot.Round {
		m.round, m.focus = m.state().Total.Rounds, view.Detail
	}
	m.draw()
	return svg.Write(w, &m.grid, fmt.Sprintf("The dashboard playing %s", f.Name))
}

// finish does a command, and those that follow from it, until none is left.
func finish(m *Model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			finish(m, c)
		}
	default:
		_, next := m.Update(msg)
		finish(m, next)
	}
}
