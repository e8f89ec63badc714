package device

import (
	"testing"

	"github.com/tfsim/tfsim/core"
)

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

// Windows count as the longest only where they share a pass over the weights.
func TestPacking(t *testing.T) {
	llama := Shapes{Least: 2, Multiple: 2, Equal: true, Compact: true, Longest: true}
	if want := (core.Packing{Least: 2, Multiple: 2, Equal: true, Longest: true}); llama.Packing() != want {
		t.Errorf("packing %+v, want %+v", llama.Packing(), want)
	}
	for _, change := range []func(*Shapes){
		func(s *Shapes) { s.Equal = false }, func(s *Shapes) { s.Compact = false }, func(s *Shapes) { s.Longest = false },
	} {
		s := llama
		change(&s)
		if s.Packing().Longest {
			t.Errorf("shapes %+v: longest", s)
		}
	}
}
