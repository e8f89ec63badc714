package core

import (
	"fmt"
	"testing"
)

// measuredSteady is a steady scheduler under the measured rule: drafts pay.
func measuredSteady(tb testing.TB, streams int) *steady {
	d := &steady{s: newMeasured(tb, streams).s}
	for range 400 {
		d.action()
	}
	return d
}

// TestMeasuredAllocatesNothing holds the steady state free of allocations.
func TestMeasuredAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, streams := range []int{1, 2, 4, 8, 64} {
		d := measuredSteady(t, streams)
		if n := testing.AllocsPerRun(500, d.round); n != 0 {
			t.Errorf("%d streams: %g allocations a round", streams, n)
		}
	}
}

// BenchmarkMeasuredRound is a decision cycle of the measured rule: asks, pass,
// depths and round, with what is learnt of them.
func BenchmarkMeasuredRound(b *testing.B) {
	for _, n := range []int{1, 2, 4, 8, 16, 64} {
		b.Run(fmt.Sprintf("streams=%d", n), func(b *testing.B) {
			d := measuredSteady(b, n)
			b.ReportAllocs()
			for b.Loop() {
				d.round()
			}
		})
	}
}
