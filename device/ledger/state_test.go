package ledger

import (
	"errors"
	"slices"
	"testing"

	"github.com/tfsim/tfsim/device"
)

func TestState(t *testing.T) {
	tokens := []device.Token{5, 6, 7}
	state := Seal("key", tokens, []byte("rows"), nil, []byte{1})
	got, parts, err := Open("key", state)
	if err != nil || !slices.Equal(got, tokens) || len(parts) != 3 || string(parts[0]) != "rows" || len(parts[1]) != 0 {
		t.Fatalf("opened %v %q: %v", got, parts, err)
	}
	if _, _, err := Open("other", state); !errors.Is(err, device.ErrState) {
		t.Errorf("a state of another key: %v", err)
	}
	for i := range state {
		if _, _, err := Open("key", state[:i]); !errors.Is(err, device.ErrState) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
		bad := slices.Clone(state)
		bad[i] ^= 0x10
		if _, _, err := Open("key", bad); !errors.Is(err, device.ErrState) {
			t.Fatalf("byte %d flipped: %v", i, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(Seal("key", []device.Token{1, 2}, []byte("x")))
	f.Fuzz(func(t *testing.T, state []byte) {
		if tokens, _, err := Open("key", state); err == nil && len(tokens) == 0 {
			t.Error("a state without tokens")
		}
	})
}
