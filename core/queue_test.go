package core

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestFIFO checks the ring against a slice.
func TestFIFO(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f fifo
		var want []int32
		next := int32(0)
		unready := int32(rapid.IntRange(0, 9).Draw(t, "unready"))
		for _, op := range rapid.SliceOfN(rapid.IntRange(0, 5), 0, 200).Draw(t, "ops") {
			switch {
			case op < 3:
				f.push(next)
				want = append(want, next)
				next++
			case op == 3 && len(want) > 0:
				k := int(next) % len(want)
				f.remove(want[k])
				want = slices.Delete(want, k, k+1)
			default:
				i, ok := f.pop(func(i int32) bool { return i%5 != unready })
				k := slices.IndexFunc(want, func(i int32) bool { return i%5 != unready })
				if ok != (k >= 0) || ok && i != want[k] {
					t.Fatalf("pop gives %d, %v; want the first of %v that is not %d in 5", i, ok, want, unready)
				}
				if ok {
					want = slices.Delete(want, k, k+1)
				}
			}
			if f.n != len(want) {
				t.Fatalf("%d entries, want %d", f.n, len(want))
			}
		}
	})
}
