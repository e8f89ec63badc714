package core

import (
	"slices"
	"testing"
)

// contextLine is a line with a price of rows in caches.
type contextLine struct {
	line
	context Nanos
}

func (l contextLine) Context(rows int) Nanos { return l.context * Nanos(rows) }

// TestApart: windows of unlike texts get launches of their own where that is
// believed to cost less.
func TestApart(t *testing.T) {
	cpu := line{first: 300_000, row: 200_000, window: 50_000}
	gpu := line{first: 9_000_000, row: 60_000, window: 100_000}
	many := append([]int{8000}, slices.Repeat([]int{50}, mostApart)...)
	inOrder := make([]int, len(many))
	for k := range inOrder {
		inOrder[k] = k
	}
	for _, c := range []struct {
		name     string
		prices   Prices
		longest  bool
		rows     int // of a launch
		prompts  []int
		launches []int
		slots    []int
	}{
		{"alike", contextLine{cpu, 500}, true, 64, []int{300, 310, 290, 305}, []int{4}, []int{0, 1, 2, 3}},
		{"one long", contextLine{cpu, 500}, true, 64, []int{60, 8000, 50, 70}, []int{3, 1}, []int{2, 0, 3, 1}},
		{"two long", contextLine{cpu, 500}, true, 64, []int{60, 50, 8000, 8001}, []int{2, 2}, []int{1, 0, 2, 3}},
		{"three lengths", contextLine{cpu, 500}, true, 64, []int{10, 9000, 30_000}, []int{1, 1, 1}, []int{0, 1, 2}},
		{"neighbours of nobody", contextLine{cpu, 500}, true, 64, []int{9000, 10, 30_000}, []int{1, 2}, []int{1, 0, 2}},
		{"weights cost more", contextLine{gpu, 500}, true, 64, []int{60, 8000, 50, 70}, []int{4}, []int{0, 1, 2, 3}},
		{"each by its own", contextLine{cpu, 500}, false, 64, []int{60, 8000, 50, 70}, []int{4}, []int{0, 1, 2, 3}},
		{"hardly better", contextLine{cpu, 8}, true, 64, []int{60, 8000}, []int{2}, []int{0, 1}},
		{"no room for them in one", contextLine{cpu, 500}, true, 3, []int{60, 8000, 50, 70}, []int{3, 1}, []int{0, 1, 2, 3}},
		{"too many to look at", contextLine{cpu, 500}, true, 64, many, []int{len(many)}, inOrder},
		{"nothing known of contexts", cpu, true, 64, []int{60, 8000, 50, 70}, []int{4}, []int{0, 1, 2, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := fakeConfig(RulePlain, len(c.prompts), c.prices)
			cfg.LaunchRows, cfg.StepRows = c.rows, 1<<20
			cfg.Packing = Packing{Equal: true, Longest: c.longest}
			s, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			for k, n := range c.prompts {
				if err := s.Submit(0, Request{ID: ID(k), Prompt: n, Output: 100}); err != nil {
					t.Fatal(err)
				}
			}
			for rounds := 0; rounds < 3; {
				a := s.Next(0)
				o := Outcome{Rows: a.Rows}
				for range a.Windows {
					o.Slots = append(o.Slots, SlotOutcome{Emitted: 1})
				}
				if a.Kind == Round && len(a.Windows) == len(c.prompts) {
					rounds++
					var slots []int
					for _, w := range a.Windows {
						slots = append(slots, w.Slot)
						if w.ID != ID(w.Slot) || w.Position < c.prompts[w.Slot] {
							t.Fatalf("window %+v", w)
						}
					}
					if !slices.Equal(a.Launches, c.launches) || !slices.Equal(slots, c.slots) {
						t.Fatalf("launches %v of slots %v, want %v of %v", a.Launches, slots, c.launches, c.slots)
					}
				}
				if err := s.Done(0, &o); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
