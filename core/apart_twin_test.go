package core

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// twinLaunch is what a launch costs over streams, row by row: a pass goes on as
// long as its windows do.
func twinLaunch(p Packing, l contextLine, windows []Window) Nanos {
	left := map[int]int{} // by slot
	position := map[int]int{}
	for _, w := range windows {
		left[w.Slot], position[w.Slot] = p.Padded(w.Rows()), w.Position
	}
	price := Nanos(0)
	for slot := 0; len(left) > 0; slot++ {
		for left[slot] > 0 {
			var run, rows []int
			longest := 0
			for k := slot; left[k] > 0; k++ {
				run, rows = append(run, k), append(rows, left[k])
				longest = max(longest, position[k])
			}
			least := slices.Min(rows)
			price += l.Round(Shape{len(run), len(run) * least}) + l.Context(len(run)*longest)
			for _, k := range run {
				left[k] -= least
			}
		}
		delete(left, slot)
	}
	return price
}

// TestApartPays: launches are priced as they run, hold every window once, and
// cost less together than one.
func TestApartPays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, least, most int) int { return rapid.IntRange(least, most).Draw(t, name) }
		prices := contextLine{line{first: Nanos(n("first", 0, 2_000_000)), row: Nanos(n("row", 1, 300_000)), window: Nanos(n("window", 0, 100_000))}, Nanos(n("context", 0, 800))}
		s := &Scheduler{cfg: DefaultConfig()}
		s.cfg.LaunchRows, s.cfg.Prices = n("launch rows", 8, 64), prices
		s.cfg.Packing = Packing{Least: n("least", 0, 2), Multiple: n("multiple", 0, 2), Equal: true, Longest: true}
		for slot := range 8 {
			if rapid.Bool().Draw(t, "there") {
				position := rapid.SampledFrom([]int{10, 50, 4000, 9000}).Draw(t, "rows")
				s.action.Windows = append(s.action.Windows, Window{Slot: slot, ID: ID(slot), Position: position + slot, Drafts: n("drafts", 0, 4)})
			}
		}
		before := slices.Clone(s.action.Windows)
		one := twinLaunch(s.cfg.Packing, prices, before)
		if got := s.launchPrice(prices, before); got != one {
			t.Fatalf("a launch of %v is priced %d, want %d", before, got, one)
		}
		if !s.apart() {
			if !slices.Equal(s.action.Windows, before) || len(s.action.Launches) > 0 {
				t.Fatalf("windows %v in launches %v, want them as they were", s.action.Windows, s.action.Launches)
			}
			return
		}
		price, at := Nanos(0), 0
		for _, k := range s.action.Launches {
			price += twinLaunch(s.cfg.Packing, prices, s.action.Windows[at:at+k])
			at += k
		}
		if len(s.action.Launches) < 2 || at != len(before) || price >= one {
			t.Fatalf("launches %v of %v cost %d, one of all %d", s.action.Launches, s.action.Windows, price, one)
		}
		slices.SortFunc(s.action.Windows, func(a, b Window) int { return a.Slot - b.Slot })
		if !slices.Equal(s.action.Windows, before) {
			t.Fatalf("windows %v, want %v", s.action.Windows, before)
		}
	})
}
