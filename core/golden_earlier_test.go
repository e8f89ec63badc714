package core

import (
	"fmt"
	"hash/fnv"
	"testing"
)

// earlierChoices is the hash of what the earlier rule chose before there were
// others: a rule beside it changes nothing.
const earlierChoices = 0xe180c91af5c2d491

// TestEarlierChoicesStay hashes 1,800 choices of the default configuration:
// modes 0 to 2, five drafters, 1 to 4 streams, two tables, 15 rounds of each.
func TestEarlierChoicesStay(t *testing.T) {
	h, choices := fnv.New64a(), 0
	for _, prices := range []Prices{unitPrices, gb10{}} {
		for mode := range 3 {
			for _, scores := range [][]float64{
				{0.05, 0.05, 0.05, 0.05, 0.05}, {0.5, 0.4, 0.3, 0.2, 0.1}, {0.6, 0.9, 0.2, 0.95, 0.5},
				{0.9, 0.8, 0.7, 0.6, 0.5}, {0.99, 0.99, 0.99, 0.99, 0.99},
			} {
				for streams := 1; streams <= 4; streams++ {
					cfg := DefaultConfig()
					cfg.PlainStreams, cfg.Lanes, cfg.Joint, cfg.Prices = 0, streams, mode, prices
					for _, text := range earlierRounds(t, cfg, scores) {
						fmt.Fprintln(h, text)
						choices++
					}
				}
			}
		}
	}
	if choices != 1800 {
		t.Errorf("%d choices", choices)
	}
	if got := h.Sum64(); got != earlierChoices {
		t.Errorf("the choices hash to %#x, want %#x", got, uint64(earlierChoices))
	}
}

// earlierRounds is the asks and depths of 15 rounds. The streams' confidences
// and what is kept differ by stream and round.
func earlierRounds(t *testing.T, cfg Config, scores []float64) []string {
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for id := range ID(cfg.Lanes) {
		if err := s.Submit(0, Request{ID: id, Prompt: 1, Output: 1000}); err != nil {
			t.Fatal(err)
		}
	}
	var list []string
	text := ""
	for len(list) < 15 {
		a := s.Next(0)
		o := &Outcome{Rows: a.Rows, Wall: 1000, Device: 1000}
		switch a.Kind {
		case Pass:
			text = "asks"
			for k, ask := range a.Asks {
				text += fmt.Sprintf(" %d:%d", ask.ID, ask.Depth)
				for j := range a.Asks[k].Depth {
					o.Confidences = append(o.Confidences, scores[(j+k+len(list)/3)%len(scores)])
				}
			}
		case Round:
			for k, w := range a.Windows {
				text += fmt.Sprintf(" window %d:%d/%d", w.ID, w.Drafts, w.Held)
				kept := min((len(list)*7+k*3)%6, w.Drafts)
				o.Slots = append(o.Slots, SlotOutcome{Kept: kept, Emitted: kept + 1, Matched: len(list)%2 == 0})
			}
			if len(a.Windows) == cfg.Lanes {
				list = append(list, text)
			}
		}
		if err := s.Done(0, o); err != nil {
			t.Fatal(err)
		}
	}
	return list
}
