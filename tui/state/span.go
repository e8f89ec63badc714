package state

import "github.com/tfsim/tfsim/core"

// Span is one action as it was done: a begin, a step, a pass or a round.
type Span struct {
	Start, End core.Micros
	Kind       core.EventKind
	// Slot and ID of a begin or step; -1 and 0 of a pass or round.
	Slot int
	ID   core.ID
	// Slots has a bit for each of the first 64 slots that the action worked
	// for.
	Slots uint64
	// From and Rows of a step; Rows verified by a round, drafts asked by a pass.
	From, Rows int
	// Windows of a round, asks of a pass.
	Windows      int
	Price        core.Nanos
	Device       core.Micros
	Beside       bool
	Last         bool
	Filling      bool // an admitted prompt was not in yet
	Failed       bool
	Drafts, Kept int
	Tokens       int
}

// Round is one round with what came of each window.
type Round struct {
	// Seq counts rounds from 1.
	Seq     int64
	At      core.Micros
	Wall    core.Micros
	Device  core.Micros
	Price   core.Nanos
	Rows    int
	Launch  int
	Drafts  int
	Kept    int
	Tokens  int
	Owed    core.Micros
	Reason  string
	Windows []Window
	// Planned is the number of windows in it; those of requests cancelled
	// meanwhile are not among Windows.
	Planned int
	Pass    Pass
}

// Window is what a round did for one slot.
type Window struct {
	Slot                 int
	ID                   core.ID
	Name                 string
	Drafts, Kept, Tokens int
	// Gap is the time since the request's last delivery.
	Gap core.Micros
}

// Pass is a drafter pass; Asks is 0 where none ran.
type Pass struct {
	Asks, Drafts int
	Price        core.Nanos
	Wall         core.Micros
	Device       core.Micros
	Failed       bool
}
