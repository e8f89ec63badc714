package core

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestOwes checks t·(1−s)/s against exact arithmetic, up to spans whose debt
// no span can hold.
func TestOwes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newShare(PPM(rapid.Int64Range(1, int64(Whole)).Draw(t, "share")), false)
		span := Micros(rapid.Int64Range(0, math.MaxInt64).Draw(t, "span"))
		want := new(big.Int).Mul(big.NewInt(int64(span)), big.NewInt(int64(Whole-h.prompt)))
		want.Div(want, big.NewInt(int64(h.prompt)))
		if want.Cmp(big.NewInt(math.MaxInt64)) > 0 {
			want.SetInt64(math.MaxInt64)
		}
		if got := h.owes(span); int64(got) != want.Int64() {
			t.Fatalf("a step of %d at %d ppm owes %d, want %d", span, h.prompt, got, want)
		}
	})
}

// TestShareNeverWraps: debts and overruns stop at the longest span.
func TestShareNeverWraps(t *testing.T) {
	h := newShare(1, true)
	h.stepped(Never, true)
	h.stepped(Never, true)
	if h.owed != Never {
		t.Errorf("%d owed after two endless steps", h.owed)
	}
	for range 3 {
		h.ran(Never)
	}
	if h.owed != -Never {
		t.Errorf("%d owed after three endless rounds", h.owed)
	}
	if h.stepped(1, true); h.owed != -Never+999_999 {
		t.Errorf("%d owed after a step of 1 µs", h.owed)
	}
}
