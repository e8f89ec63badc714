package memory

import (
	"errors"
	"strings"
	"testing"
)

const gib = 1 << 30

func TestAdmit(t *testing.T) {
	room := Room{Of: "the GPU", Limit: 464 * gib, Used: 4 * gib}
	for _, c := range []struct {
		name string
		room Room
		load Load
		want string // of the refusal
	}{
		{"fits", room, Load{Weights: 400 * gib, RowBytes: 70_000, Slots: 4, Context: 131_072}, ""},
		{"just fits", room, Load{Weights: 460 * gib}, ""},
		{"weights alone are too much", room, Load{Weights: 461 * gib, RowBytes: 1, Slots: 4, Context: 100},
			"4 slots with a context of 100 need 461.0 GiB, and the GPU has room for 460.0 GiB of 464.0 GiB; the weights alone are 461.0 GiB"},
		{"cache is too much", room, Load{Weights: 400 * gib, RowBytes: 1 << 20, Slots: 4, Context: 65_536},
			"4 slots with a context of 65536 need 656.0 GiB, and the GPU has room for 460.0 GiB of 464.0 GiB; a context of 15360 would fit"},
		{"fewer slots would do", room, Load{Weights: 400 * gib, RowBytes: 1 << 20, Slots: 4, Context: 20_000}, "; 3 slots, or a context of 15360 would fit"},
		{"nothing is left", Room{Of: "it", Limit: gib, Used: 2 * gib}, Load{RowBytes: 1, Slots: 1, Context: 1}, "room for 0.0 MiB"},
		{"unknown", Room{}, Load{Weights: 1 << 50}, ""},
	} {
		err := c.room.Admit(c.load)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (!errors.Is(err, ErrRoom) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
