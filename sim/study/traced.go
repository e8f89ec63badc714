package study

import (
	"fmt"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/workload"
)

// mostInFlight is how many requests of a trace are in flight besides those in
// lanes. A machine that falls behind for good would otherwise hold the whole
// file in its queue.
const mostInFlight = 1 << 14

// traced feeds a trace. When too many requests are in flight the next waits in
// the file until one ends; its times count from its sending all the same. Its
// methods do nothing where there is no trace.
type traced struct {
	*workload.Traced
	most, inFlight int
	// freed is when the last one ended, held that some had to wait.
	freed core.Micros
	held  bool
	// blocks says that prompts have beginnings in common.
	blocks bool
	// part, if not nil, is told how much of the trace was played.
	part func(float64)
}

// peek is when the next request comes. One that cannot be read is due at once,
// for take to say so.
func (t *traced) peek() core.Micros {
	if t.Err() != nil {
		return 0
	}
	at := t.Peek()
	if t.inFlight < t.most {
		if at == core.Never || !t.held {
			return at
		}
		return max(at, t.freed)
	}
	t.held = t.held || at != core.Never
	return core.Never
}

// take is asked before a request is taken.
func (t *traced) take() error {
	if t == nil {
		return nil
	}
	t.inFlight++
	return t.Err()
}

func (t *traced) ended(at core.Micros) {
	if t != nil {
		t.inFlight--
		t.freed = at
	}
}

// tell tells how far it is.
func (t *traced) tell() {
	if t != nil && t.part != nil {
		t.part(t.Part())
	}
}

// notes are what a run of a trace says of it.
func (t *traced) notes(cache bool) []string {
	if t == nil {
		return nil
	}
	notes := t.Notes()
	if t.blocks && !cache {
		notes = append(notes, "the trace's common prompt beginnings are not used: the prompt cache is off (prompt-cache-gib)")
	}
	if t.held {
		notes = append(notes, fmt.Sprintf("saturated: over %d requests waited at once; queue_s counts from where they are taken out of the file", mostInFlight))
	}
	return notes
}
