package core

import "math"

// Micros is a point in time or a span, in integer microseconds. The zero of
// time is the caller's; core only compares and subtracts.
type Micros int64

// Never is the time of a Wait that only an input can end.
const Never Micros = math.MaxInt64

// Nanos is a price in integer nanoseconds.
type Nanos int64

// ID names a request. The caller chooses it; it must be unique among the
// requests in flight.
type ID uint64

// Request is what core needs to know of a request. Core sees no token ids:
// counts, ends and prefix keys are enough to schedule.
type Request struct {
	ID ID
	// Prompt is the prompt's length in tokens, at least 1.
	Prompt int
	// Output is the most tokens the reply may have, at least 1.
	Output int
	// Prefix is non-zero when a kept prompt state may be restored for this
	// request; the device then gets a Begin before the first step and says in
	// its outcome how many rows were restored.
	Prefix uint64
	// PrefixRows is the number of first tokens that the key stands for: what
	// is worth waiting for while another request of the key runs them.
	PrefixRows int
	// Background requests queue behind every foreground one.
	Background bool
	// NoDraft makes every window of this request plain.
	NoDraft bool
}

// Kind is what an action asks of the device.
type Kind uint8

// The kinds of action.
const (
	// Wait asks for nothing until Action.Until or an input.
	Wait Kind = iota
	// Begin takes a slot and restores a kept prompt state, if there is one.
	Begin
	// Step runs prompt rows of one slot: a whole prompt, a piece, or a finish.
	Step
	// Pass runs the drafter once over all asks.
	Pass
	// Round verifies one window for each slot in it.
	Round
)

var kindNames = [...]string{"wait", "begin", "step", "pass", "round"}

func (k Kind) String() string { return kindNames[k] }

// Action is one thing for the device to do. Its slices are valid until Done.
type Action struct {
	Kind Kind
	// Until is the time a Wait ends by itself, or Never.
	Until Micros

	// Slot, ID, From and Rows describe a Begin or Step: prompt rows
	// [From, From+Rows) of the request in Slot. Last says that the step holds
	// the prompt's last row and so yields the first token. After a loss the
	// rows go on into the tokens that were emitted, and the token that Last
	// yields is known already.
	Slot int
	ID   ID
	From int
	Rows int
	Last bool
	// First says that the slot is taken by this action: nothing ran in it yet.
	First bool
	// Beside says that a reply was decoding when this action was chosen.
	Beside bool

	// Asks are a Pass's, one for each drafting slot of the coming round.
	Asks []Ask
	// Early says that a pass launched early by the last round already holds
	// these asks' drafts; only its remaining time is to be waited for.
	Early bool

	// Windows are a Round's, in admission order; by the rows in their caches
	// where that sets launches apart (Packing.Longest).
	Windows []Window
	// Launches holds, for each launch of a Round, the number of windows in
	// it: windows are packed in order, each whole.
	Launches []int
	// LaunchEarly asks the device to launch the next pass for the drafted
	// windows as soon as the round's outcome is known to it.
	LaunchEarly bool

	// Release lists slots that were freed since the last action; the device
	// forgets their state before it does anything else. A Wait has none.
	Release []int
}

// Ask is one slot's request in a pass.
type Ask struct {
	Slot int
	ID   ID
	// Depth is the number of drafts wanted, at least 1.
	Depth int
	// CatchUp is the number of rounds this slot decoded without ingest since
	// its last pass, at most Config.MostBehind; their rows are ingested first.
	CatchUp int
	// Unread says that all drafts of the slot's last pass were kept: a drafter
	// that makes drafts one after another has yet to read the last of them.
	Unread bool
}

// Window is one slot's rows of a round: the pending row, Drafts drafted rows
// and Pad rows whose results are thrown away.
type Window struct {
	Slot   int
	ID     ID
	Drafts int
	Pad    int
	// Held is the number of drafts the slot holds from its last pass, of
	// which the first Drafts are verified.
	Held int
	// Position is the number of rows in the slot's cache before this round.
	Position int
}

// Rows is the number of rows the window takes in a launch.
func (w Window) Rows() int { return 1 + w.Drafts + w.Pad }

// Status says how an action, or one slot of it, ended.
type Status uint8

// The statuses.
const (
	// OK is the zero value.
	OK Status = iota
	// Aborted: a step was cut short by the stop flag; Outcome.Rows were done.
	Aborted
	// Failed: the work failed. A failed step fails its request, a failed
	// round its lanes; a failed slot of a round fails that lane alone.
	Failed
	// Lost: the device lost the slot's state (it restarted). The request
	// fills again from its prompt and emitted tokens.
	Lost
)

var statusNames = [...]string{"ok", "aborted", "failed", "lost"}

func (s Status) String() string { return statusNames[s] }

// Outcome is what the device says of the last action. The caller owns it and
// may reuse it after Done.
type Outcome struct {
	// Status is that of the whole action.
	Status Status
	// Wall is how long the action took on the caller's clock; shares use it.
	Wall Micros
	// Device is how long the device was at work for it, the way there and back
	// included; beliefs use it.
	Device Micros
	// Rows is the number of prompt rows done by a Step, or restored by a Begin.
	Rows int
	// End says that the first token, of a Step with Last set, ended the text.
	End bool
	// Slots has one entry for each window of a Round, in the same order.
	Slots []SlotOutcome
	// Confidences has Depth entries for each ask of a Pass, in order:
	// the drafter's own score of each draft, from 0 to 1.
	Confidences []float64
	// EarlyHit says that a pass launched early by this Round fits what was
	// kept, so the next Pass may use it.
	EarlyHit bool
}

// SlotOutcome is what a round did for one window.
type SlotOutcome struct {
	Status Status
	// Kept is the number of drafts kept; the slot commits Kept+1 tokens,
	// fewer if the text ended within them.
	Kept int
	// Emitted is the number of tokens committed: Kept+1, or fewer at an end.
	Emitted int
	// End says that the last emitted token ended the text.
	End bool
	// Matched says that the first held draft equals the token chosen after
	// the pending row. It matters for a window that verified no draft.
	Matched bool
}

// Shape is what a round's price depends on.
type Shape struct {
	// Windows is the number of sequences, Rows their rows in total.
	Windows, Rows int
}

// Asked is what a pass's price depends on.
type Asked struct {
	// Asks is the number of slots that ask, Depth the drafts that the deepest
	// ask wants.
	Asks, Depth int
	// CatchUps of the asks have rounds to ingest that they decoded plainly,
	// Rounds in all.
	CatchUps, Rounds int
	// Unread of the asks follow drafts that were all kept.
	Unread int
}

// AskedBy is what a pass over asks is priced by.
func AskedBy(asks []Ask) Asked {
	a := Asked{Asks: len(asks)}
	for k := range asks {
		a.add(&asks[k])
	}
	return a
}

// add counts the depth and what is to be read of an ask.
func (a *Asked) add(k *Ask) {
	a.Depth = max(a.Depth, k.Depth)
	if k.Unread {
		a.Unread++
	}
	if k.CatchUp > 0 {
		a.CatchUps++
		a.Rounds += k.CatchUp
	}
}

// Prices is core's belief about what work costs. Implementations must be
// pure: the same arguments give the same price.
type Prices interface {
	// Round is the price of verifying a shape, further launches included.
	Round(Shape) Nanos
	// Pass is the price of a drafter pass.
	Pass(Asked) Nanos
	// Cheapest gives the shape with the same windows and at least the same
	// rows that costs least.
	Cheapest(Shape) Shape
}
