package workload

import (
	"cmp"
	"slices"

	"github.com/tfsim/tfsim/core"
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
		root := i
		// A parsed file has no cycle; the bound is for hand-made requests.
		for hops := 0; requests[root].Like != "" && hops < len(requests); hops++ {
			root = index[requests[root].Like]
		}
		l.text[i] = Seed(seed, "text", uint64(root))
	}
	return l
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
