package tui

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/tui/state"
)

// goal is where a run is going.
type goal struct {
	// beyond says that the next event is beyond the goal.
	beyond func(next *core.Event, s *state.State) bool
	// to is the time to show once it is reached, or core.Never for that of the
	// last event.
	to core.Micros
	// what it is, to say where none came: "stall"; met is that one came.
	what string
	met  func(*state.State) bool
}

// untilTime is every event up to a time.
func untilTime(t core.Micros) goal {
	return goal{to: t, beyond: func(next *core.Event, _ *state.State) bool { return next.At > t }}
}

// untilCount goes on until a figure has a value and all events of that moment
// are in.
func untilCount(what string, figure func(*state.Figures) int64, value int64) goal {
	met := func(s *state.State) bool { return figure(&s.Total) >= value }
	return goal{what: what, met: met, to: core.Never, beyond: func(next *core.Event, s *state.State) bool {
		return met(s) && next.At > s.Now
	}}
}

// untilEnd is every event.
func untilEnd() goal {
	return goal{to: core.Never, beyond: func(*core.Event, *state.State) bool { return false }}
}

func rounds(f *state.Figures) int64 { return f.Rounds }
func steps(f *state.Figures) int64  { return f.Steps }
func stalls(f *state.Figures) int64 { return f.Stalls }
func ended(f *state.Figures) int64  { return f.Ended() }
