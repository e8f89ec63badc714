package sim

import (
	"container/heap"

	"github.com/tfsim/tfsim/core"
)

// cancels are the times at which senders give up, soonest first.
type cancels struct{ heap cancelHeap }

type cancel struct {
	at core.Micros
	id core.ID
}

func (c *cancels) push(at core.Micros, id core.ID) { heap.Push(&c.heap, cancel{at, id}) }
func (c *cancels) pop() core.ID                    { return heap.Pop(&c.heap).(cancel).id }

func (c *cancels) next() core.Micros {
	if len(c.heap) == 0 {
		return core.Never
	}
	return c.heap[0].at
}

type cancelHeap []cancel

func (h cancelHeap) Len() int { return len(h) }
func (h cancelHeap) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].id < h[j].id
}
func (h cancelHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *cancelHeap) Push(x any)   { *h = append(*h, x.(cancel)) }
func (h *cancelHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
