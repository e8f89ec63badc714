package result

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/tfsim/tfsim/core"
)

func backlogOf(n int, waiting func(i int) int) *backlog {
	var b backlog
	for i := range n {
		b.arrive(waiting(i))
	}
	return &b
}

func TestBacklogGrowth(t *testing.T) {
	for _, n := range []int{16, 100, 511, 512, 513, 5000, 100_001} {
		grows := func(i int) int { return i }
		assert.True(t, backlogOf(n, grows).grew(4), "grows over %d arrivals", n)
		assert.False(t, backlogOf(n, func(int) int { return 50 }).grew(4), "steady over %d arrivals", n)
		assert.False(t, backlogOf(n, func(i int) int { return i * 3 / n }).grew(4), "under the lanes over %d arrivals", n)
		assert.False(t, backlogOf(n, func(i int) int { return max(0, n/2-i) }).grew(1), "drains over %d arrivals", n)
	}
	assert.False(t, backlogOf(15, func(i int) int { return i * i }).grew(1), "too few arrivals")
}

func TestBacklogKeepsEveryArrival(t *testing.T) {
	b := backlogOf(100_001, func(i int) int { return i })
	sum, n := b.sum(0, b.n)
	assert.EqualValues(t, 100_001, n)
	assert.EqualValues(t, 100_001*100_000/2, sum)
}

func TestSaturatedOnlyForWorkloads(t *testing.T) {
	for _, workload := range []bool{false, true} {
		r := NewRecorder(Options{Workload: workload, Lanes: 2})
		for id := core.ID(1); id <= 3; id++ {
			r.Record(&core.Event{Kind: core.EventSubmitted, ID: id, Slot: -1})
		}
		assert.Equal(t, workload, r.Result(1).Saturated, "more wait at the end than there are lanes")
	}
}
