package state

import "github.com/tfsim/tfsim/core"

// MostSlots is the most slots that are shown; events of higher ones count, but
// have no place.
const MostSlots = 1 << 12

// Counts are what a server says of itself beside its events: how it runs, what
// is in flight, and totals since its start. Each is below 0 where it says
// nothing.
type Counts struct {
	Lanes    int64
	Promised core.PPM

	Running, Waiting int64

	Tokens, Rounds, Drafted, Accepted int64
	// Missed are the events that slow watchers did not get.
	Missed int64
}

// Know takes what the server says of itself, nil where it no longer does.
func (s *State) Know(c *Counts) {
	s.Server = c
	s.Promised, s.Steps = 0, false
	if c == nil {
		return
	}
	if c.Promised > 0 {
		s.Promised, s.Steps = c.Promised, true
	}
	for int64(len(s.Slots)) < min(c.Lanes, MostSlots) {
		s.Slots = append(s.Slots, nil)
	}
}
