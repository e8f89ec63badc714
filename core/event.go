package core

// EventKind names what an event tells.
type EventKind uint8

// The event vocabulary. Every decision and every outcome is one flat event.
const (
	EventSubmitted EventKind = iota
	EventAdmitted
	EventBegin
	EventStep
	EventPass
	EventRound
	EventTokens
	EventFinished
	EventCancelled
	EventFailed
	EventLost
	// EventNote tells what happened around the scheduler and bears on what
	// follows: the machine grew hot, a setting was changed.
	EventNote
	EventWait
)

var eventNames = [...]string{
	"submitted", "admitted", "begin", "step", "pass", "round",
	"tokens", "finished", "cancelled", "failed", "lost", "note", "wait",
}

func (k EventKind) String() string { return eventNames[k] }

// Event is one decision or outcome. Fields that do not apply to a kind are
// zero, except Slot, which is -1 where no slot is meant.
type Event struct {
	At   Micros
	Kind EventKind
	ID   ID
	Slot int
	// From and Rows: prompt rows of a step or begin; Rows of a round or pass
	// are the rows verified or the drafts asked.
	From, Rows int
	// Windows and Launches of a round; Windows of a pass are its asks.
	Windows, Launches int
	// Drafts verified and Kept, of a round or of one slot's tokens.
	Drafts, Kept int
	// Tokens delivered by this event (one event for each slot of a round, and
	// one for a first token), and Total delivered to the request so far. Those
	// of a round are what its windows committed, cancelled requests included.
	Tokens, Total int
	// Price is what core expected; Wall and Device what was measured.
	Price        Nanos
	Wall, Device Micros
	// Owed is the decode time still owed after the event.
	Owed Micros
	// Beside says a reply was decoding; Last that a step yields a first token.
	Beside, Last bool
	// Reason of an end: "length", "end", "cancelled", "failed", "lost". Of a
	// note, its text.
	Reason string
}

// Sink receives events in order. The event is only valid during the call.
type Sink interface{ Record(*Event) }
