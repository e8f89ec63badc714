package core

import "testing"

// TestNoAllocations holds the steady state free of allocations.
func TestNoAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, drafts := range []bool{false, true} {
		for _, streams := range []int{1, 4, 64} {
			d := newSteady(t, streams, drafts)
			if n := testing.AllocsPerRun(200, d.round); n != 0 {
				t.Errorf("%d streams, drafts %v: %g allocations a round", streams, drafts, n)
			}
		}
	}
}
