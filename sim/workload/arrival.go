package workload

import (
	"fmt"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/random"
	"github.com/tfsim/tfsim/sim/scenario"
)

// Arrival is one request as it is sent.
type Arrival struct {
	// At is when, from the start of the case.
	At core.Micros
	// Index identifies the arrival to Finished. Explicit requests are numbered
	// from 0 as the file writes them, others as they are sent.
	Index int
	// ID is the request's in the results: its own, or r1, r2, … as sent, or
	// u3.2 for the second request of a closed workload's third user.
	ID string
	// Prompt and Output are lengths in tokens, at least 1.
	Prompt, Output int
	// Load names the text's draft outcomes, and what it turns into or "".
	Load [2]string
	// TurnAt is the reply tokens after which the text turns; 0 if it does not.
	TurnAt int
	// Temperature is 0 for greedy.
	Temperature float64
	Background  bool
	// NoDraft makes every window of the request plain.
	NoDraft bool
	// CancelAt is when the client goes away, from the start of the case, or
	// core.Never.
	CancelAt core.Micros
	// PrefixKey names the beginning that the prompt shares, or "".
	PrefixKey string
	// PrefixTokens is that beginning's length, at most Prompt.
	PrefixTokens int
	// Prefix is a number of PrefixKey for core, 0 only without one.
	Prefix uint64
	// Blocks are numbers for core of the prompt's beginning, one for each
	// trace.BlockTokens tokens or part of them; nil if nothing is known of it.
	Blocks []uint64
	// Text is the seed of the request's text: equal texts have equal seeds.
	Text uint64
}

// Source gives a case's arrivals in time order.
type Source interface {
	// Peek is when the next arrival is due, core.Never if none is before some
	// request ends.
	Peek() core.Micros
	// Next takes the arrival that Peek promised. It panics if that is Never.
	Next() Arrival
	// Finished reports the end, whatever its reason, of the arrival with that
	// index. Times must not decrease over calls.
	Finished(index int, at core.Micros)
}

// Open makes the source of a case. The file is the case's, for error
// positions. The error is about a file of lengths.
func Open(f *scenario.File, c *scenario.Case, seed uint64) (Source, error) {
	w := c.Workload
	switch {
	case w == nil:
		return newListed(c.Requests, seed), nil
	case w.Trace != nil:
		return openTrace(f, w, seed)
	}
	g, err := newMaker(f, w, seed)
	if err != nil {
		return nil, err
	}
	if w.Arrivals.Process == scenario.Closed {
		return newClosed(w, g), nil
	}
	times := newProcess(&w.Arrivals, seed)
	if times == nil {
		return nil, fmt.Errorf("%s: unknown process (%s); a file that was parsed has a known one",
			f.At(w.Arrivals.Line, w.Arrivals.Col), w.Arrivals.Process)
	}
	return newOpen(w, g, times), nil
}

// traits fills in what requests and entries of a mix have in common.
func (a *Arrival) traits(t *scenario.Traits) {
	a.Load, a.TurnAt = t.Load.Names, t.Load.TurnAt
	a.Temperature, a.Background, a.NoDraft = t.Temperature, t.Background, t.NoDraft
	if t.Prefix != nil {
		a.PrefixKey = t.Prefix.Key
		a.PrefixTokens = min(t.Prefix.Tokens, a.Prompt)
		a.Prefix = max(1, random.Hash(t.Prefix.Key))
	}
}
