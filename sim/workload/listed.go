package workload

import (
	"cmp"
	"slices"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/random"
	"github.com/tfsim/tfsim/sim/scenario"
)

// listed gives explicit requests by time, ties as the file writes them.
type listed struct {
	requests []scenario.Request
	order    []int
	text     []uint64
	next     int
}

var _ Source = (*listed)(nil)

func newListed(requests []scenario.Request, seed uint64) *listed {
	l := &listed{requests: requests, order: make([]int, len(requests)), text: make([]uint64, len(requests))}
	index := make(map[string]int, len(requests))
	for i, r := range requests {
		l.order[i] = i
		index[r.ID] = i
	}
	slices.SortStableFunc(l.order, func(a, b int) int { return cmp.Compare(requests[a].At, requests[b].At) })
	for i := range requests {
		l.text[i] = uint64(random.New(seed, "text").Sub(uint64(root(requests, index, i))))
	}
	return l
}

// root is the request, like no other, that request i leads to. It shortens
// the way for later calls. A parsed file has no circle; the bound on steps is
// for requests made by hand.
func root(requests []scenario.Request, index map[string]int, i int) int {
	at := i
	for steps := 0; requests[at].Like != "" && steps < len(requests); steps++ {
		at = index[requests[at].Like]
	}
	for requests[i].Like != "" && i != at {
		next := index[requests[i].Like]
		index[requests[i].ID] = at
		i = next
	}
	return at
}

func (l *listed) Peek() core.Micros {
	if l.next == len(l.order) {
		return core.Never
	}
	return l.requests[l.order[l.next]].At
}

func (l *listed) Next() Arrival {
	i := l.order[l.next]
	l.next++
	r := &l.requests[i]
	a := Arrival{
		At: r.At, Index: i, ID: r.ID,
		Prompt: r.Prompt, Output: r.Output,
		CancelAt: r.CancelAt, Text: l.text[i],
	}
	a.traits(&r.Traits)
	return a
}

func (l *listed) Finished(int, core.Micros) {}
