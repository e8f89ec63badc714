package state

import "github.com/tfsim/tfsim/core"

// Setup is what is known of a run before its events.
type Setup struct {
	// Lanes is the number of slots, 0 if unknown: slots then show up as they
	// are used.
	Lanes int
	// Promised is the prompts' share of time, 0 if unknown.
	Promised core.PPM
	// Steps says that prompts run in steps.
	Steps bool
}

// What is kept of the past.
const (
	keptSpans  = 16384
	keptRounds = 512
	keptEnded  = 256
)

// State is what the events say so far. Read it freely; only its methods Apply,
// Advance, Mark, Rejoin and Know change it.
type State struct {
	Setup
	// Origin is the time of the first event, Now the latest time known.
	Origin, Now core.Micros
	// Total are the figures of all, Part those since Mark.
	Total, Part Figures
	// Slots has the request in each slot, or nil.
	Slots []*Request
	// Spans, Rounds and Ended are the last of them.
	Spans  Ring[Span]
	Rounds Ring[Round]
	Ended  Ring[Request]
	// Owed is the decode time owed before the next step.
	Owed core.Micros
	// Server is what the server says of itself, nil if unknown.
	Server *Counts
	// LastStall is the delivery that came last after a stall: one whose gap is
	// at least four times its round's wall time, and 100 ms.
	LastStall Stall

	filling int
	queue   line
	flight  map[core.ID]*Request
	free    []*Request
	shapes  shapes
	chances chances
	pass    Pass
	// left is the request that last ended in each slot.
	left []core.ID
}

// Stall is a late delivery.
type Stall struct {
	At, Gap core.Micros
	Name    string
	ID      core.ID
}

const (
	stallTimes = 4
	stallLeast = 100_000
)

// New is the state before any event.
func New(setup Setup) *State {
	return &State{
		Setup:  setup,
		Slots:  make([]*Request, setup.Lanes),
		Spans:  NewRing[Span](keptSpans),
		Rounds: NewRing[Round](keptRounds),
		Ended:  NewRing[Request](keptEnded),
		flight: map[core.ID]*Request{},
		shapes: shapes{},
	}
}

// Mark begins Part anew at the present time.
func (s *State) Mark() { s.Part = Figures{Since: s.Now} }

// Advance says how late it is.
func (s *State) Advance(now core.Micros) { s.Now = max(s.Now, now) }

// Waiting counts the requests in the queue.
func (s *State) Waiting() int { return s.queue.n }

// Filling counts the admitted requests whose prompt is not in.
func (s *State) Filling() int { return s.filling }

// Decoding counts the requests that reply.
func (s *State) Decoding() int {
	n := 0
	for _, r := range s.Slots {
		if r != nil && r.Phase == Decoding {
			n++
		}
	}
	return n
}

// Queue gives the first requests of the queue, at most most, in order of
// arrival.
func (s *State) Queue(most int) []*Request {
	var out []*Request
	s.queue.each(func(r *Request) bool {
		if len(out) == most {
			return false
		}
		out = append(out, r)
		return true
	})
	return out
}

// Request gives a request in flight.
func (s *State) Request(id core.ID) (*Request, bool) {
	r, ok := s.flight[id]
	return r, ok
}

// Round gives a round by its number, if it is still kept.
func (s *State) Round(seq int64) (*Round, bool) {
	age := s.Total.Rounds - seq
	if age < 0 || age >= int64(s.Rounds.Len()) {
		return nil, false
	}
	return s.Rounds.At(int(age)), true
}

// BusyPart is the device's part of the time since the first event.
func (s *State) BusyPart() (part float64, ok bool) {
	if s.Now <= s.Origin {
		return 0, false
	}
	return float64(s.Total.Busy) / float64(s.Now-s.Origin), true
}
