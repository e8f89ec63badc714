package engine

import "github.com/tfsim/tfsim/core"

// Stats are counts since the start, and what is in flight now.
type Stats struct {
	// InFlight requests are not over. Of them, Waiting have no lane, Filling
	// run their prompt, and Decoding take part in rounds.
	InFlight, Waiting, Filling, Decoding int

	Finished, Cancelled, Failed, Refused     uint64
	PromptTokens, CachedTokens, Tokens       uint64
	Steps, Passes, Rounds, Drafted, Accepted uint64
	PromptTime, PassTime, RoundTime          core.Micros
	Losses, Restarts, MissedEvents           uint64
	CacheEntries                             int
	CacheBytes                               int64
}

// phase is where a request is on its way.
type phase uint8

const (
	sending phase = iota
	waiting
	filling
	decoding
)

// count adds an event, of a request if it is of one.
func (s *Stats) count(e *core.Event, r *Reply) {
	if r != nil {
		s.moved(e, r)
	}
	switch e.Kind {
	case core.EventBegin:
		s.CachedTokens += uint64(e.Rows)
		s.PromptTime += e.Wall
	case core.EventStep:
		s.Steps++
		s.PromptTokens += uint64(e.Rows)
		s.PromptTime += e.Wall
	case core.EventPass:
		s.Passes++
		s.PassTime += e.Wall
	case core.EventRound:
		s.Rounds++
		s.Drafted += uint64(e.Drafts)
		s.Accepted += uint64(e.Kept)
		s.RoundTime += e.Wall
	case core.EventTokens:
		s.Tokens += uint64(e.Tokens)
	case core.EventLost:
		s.Losses++
	case core.EventFinished:
		s.Finished++
	case core.EventCancelled:
		s.Cancelled++
	case core.EventFailed:
		s.Failed++
	}
}

// moved keeps the numbers of requests by phase.
func (s *Stats) moved(e *core.Event, r *Reply) {
	to := r.phase
	switch e.Kind {
	case core.EventSubmitted:
		to = waiting
	case core.EventAdmitted, core.EventLost:
		to = filling
	case core.EventStep:
		if e.Last && e.Reason == "" {
			to = decoding
		}
	case core.EventFinished, core.EventCancelled, core.EventFailed:
		to = sending
	}
	places := [...]*int{waiting: &s.Waiting, filling: &s.Filling, decoding: &s.Decoding}
	if p := places[r.phase]; p != nil {
		*p--
	}
	if p := places[to]; p != nil {
		*p++
	}
	r.phase = to
}
