package core

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestCalibration: a window that verified four drafts and kept two teaches of
// three positions; the one after the first miss says nothing.
func TestCalibration(t *testing.T) {
	var c calibration
	c.saw([]float64{0.9, 0.5, 0.4, 0.3}, 2)
	c.saw([]float64{0.8}, 0)
	for j, want := range []float64{
		(0.97 + 2) / (0.97*0.9 + 0.8 + 2),
		(1 + 2) / (0.5 + 2),
		2 / (0.4 + 2),
		1,
	} {
		if got := c.chance(j, 0.5); !near(got, 0.5*want) {
			t.Errorf("position %d: chance %g, want %g", j, got, 0.5*want)
		}
	}
	// The factor is at most 3 and at least 0.2, a chance at most 0.995.
	c = calibration{kept: [block]float64{30, 0, 30, 0, 6}, promised: [block]float64{0, 30, 0, 0, 2}}
	for j, want := range []float64{0.3, 0.02, 0.3, 0.1, 0.2, 0.2} {
		if got := c.chance(j, 0.1); !near(got, want) {
			t.Errorf("position %d: chance %g, want %g", j, got, want)
		}
	}
	if got := c.chance(0, 0.9); got != 0.995 {
		t.Errorf("a sure draft has the chance %g", got)
	}
}

// TestSkippedDraftTeaches: a lone round that verifies no draft still shows
// whether the first would have been kept, and is priced with its pass.
func TestSkippedDraftTeaches(t *testing.T) {
	for _, matched := range []bool{false, true} {
		cfg := DefaultConfig()
		cfg.Prices = unitPrices
		s, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Submit(0, Request{Prompt: 1, Output: 9}); err != nil {
			t.Fatal(err)
		}
		for _, o := range []*Outcome{
			{Rows: 1},
			{Confidences: []float64{0.05, 0.05, 0.05, 0.05, 0.05}},
			{Slots: []SlotOutcome{{Emitted: 1, Matched: matched}}},
		} {
			s.Next(0)
			if err := s.Done(0, o); err != nil {
				t.Fatal(err)
			}
		}
		want := 0.0
		if matched {
			want = 1
		}
		if s.calib.kept[0] != want || s.calib.promised[0] != 0.05 {
			t.Errorf("matched %v: %g kept of %g promised", matched, s.calib.kept[0], s.calib.promised[0])
		}
		if got, _ := s.streams[0].rate.perMilli(); !near(got, 1/(21.4+3.52)) {
			t.Errorf("%g tokens a millisecond", got)
		}
	}
}
