package sim

import (
	"slices"

	"github.com/tfsim/tfsim/core"
)

// Timed is a request with the time of its arrival.
type Timed struct {
	At core.Micros
	Request
}

// Fixed is a source of given requests.
type Fixed struct {
	requests []Timed
	next     int
}

// NewFixed orders requests by arrival, ties as given.
func NewFixed(requests []Timed) *Fixed {
	sorted := slices.Clone(requests)
	slices.SortStableFunc(sorted, func(a, b Timed) int { return int(min(max(a.At-b.At, -1), 1)) })
	return &Fixed{requests: sorted}
}

// Peek is the next arrival, or core.Never.
func (f *Fixed) Peek() core.Micros {
	if f.next == len(f.requests) {
		return core.Never
	}
	return f.requests[f.next].At
}

// Next gives the next request.
func (f *Fixed) Next(r *Request) error {
	*r = f.requests[f.next].Request
	f.next++
	return nil
}

// Ended does nothing: the requests are given.
func (f *Fixed) Ended(core.ID, core.Micros) {}
