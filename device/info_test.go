package device

import "testing"

// The splits of llama.cpp with a stream for each slot, as measured.
func TestPasses(t *testing.T) {
	split := Shapes{Least: 1, Multiple: 1, Equal: true, Compact: true}
	for _, c := range []struct {
		slots, rows []int
		want        int
	}{
		{nil, nil, 0},
		{[]int{0, 1, 2, 3}, []int{2, 2, 2, 2}, 1},
		{[]int{4, 5, 6, 7}, []int{2, 2, 2, 2}, 1},
		{[]int{0, 2, 4, 6}, []int{2, 2, 2, 2}, 4},
		{[]int{0, 1, 2, 3}, []int{5, 3, 2, 1}, 4},
		{[]int{0, 1, 2, 3}, []int{8, 2, 2, 2}, 2},
		{[]int{0, 1, 2, 3}, []int{4, 4, 2, 2}, 2},
		{[]int{0, 1, 5}, []int{1, 1, 1}, 2},
	} {
		if got := split.Passes(c.slots, c.rows); got != c.want {
			t.Errorf("slots %v with rows %v take %d passes, want %d", c.slots, c.rows, got, c.want)
		}
		if got := (Shapes{Least: 1, Multiple: 1}).Passes(c.slots, c.rows); len(c.slots) > 0 && got != 1 {
			t.Errorf("without splits they take %d", got)
		}
	}
	split.Least, split.Multiple = 2, 2
	if got := split.Passes([]int{0, 1, 2, 3}, []int{1, 2, 2, 1}); got != 1 {
		t.Errorf("rows that are padded alike take %d passes", got)
	}
}

func TestHolds(t *testing.T) {
	i := Info{Shapes: Shapes{Least: 2, Multiple: 2}, Promise: Promise{Level: Exact, MostRows: 8}}
	for rows, want := range map[int]bool{0: false, 1: true, 7: true, 8: true, 9: false} {
		if i.Holds(rows) != want {
			t.Errorf("%d rows: %v", rows, !want)
		}
	}
	i.Promise.Level = Repeats
	if i.Holds(2) {
		t.Error("a device that only repeats holds nothing")
	}
}

func TestSamplingCheck(t *testing.T) {
	for _, s := range []Sampling{{}, {Temperature: 1, TopK: 40, TopP: 0.9, MinP: 0.1, Seed: 1}, {TopP: 1}} {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
}
