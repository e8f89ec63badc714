package devicetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/tfsim/tfsim/device"
)

func (b *bench) save(slot int) []byte {
	b.Helper()
	state, err := b.d.Save(slot)
	if err != nil || len(state) == 0 {
		b.Fatalf("save slot %d: %d bytes, %v", slot, len(state), err)
	}
	return state
}

// A slot restored from a state, or from its first rows, goes on like one that
// was fed afresh, here and on another device.
func testRestored(b *bench) {
	text := b.text(31, 120)
	b.fill(0, text, device.Sampling{})
	b.plain(0, len(text), 5)
	state := b.save(0)
	b.release(0)
	if n := b.begin(2, device.BeginOptions{State: state}); n != len(text)+5 {
		b.Fatalf("restored %d rows of %d", n, len(text)+5)
	}
	b.release(2)
	b.exact()
	whole := append(append([]device.Token{}, text...), b.text(32, 30)...)
	devices := map[string]*bench{"same device": b}
	other := *b
	other.d = b.fresh()
	devices["other device"] = &other
	for name, on := range devices {
		for _, way := range ways {
			want := b.alone(whole, way.s, after)
			for _, keep := range []int{1, 2, 63, 119, 120} {
				b.Run(fmt.Sprintf("%s %s %d", name, way.name, keep), func(t *testing.T) {
					b := on.at(t)
					b.fill(1, b.text(33, 17), way.s) // a neighbour
					if n := b.begin(3, device.BeginOptions{State: state, Rows: keep}); n != keep {
						b.Fatalf("restored %d rows, want %d", n, keep)
					}
					first := b.finish(3, keep, whole[keep:], way.s)
					b.same(append([]device.Token{first}, b.plain(3, len(whole), after)...), want, "restored")
					b.release(1, 3)
				})
			}
		}
	}
	// What was saved mid-prompt is what a whole prompt's first rows are.
	b.begin(0, device.BeginOptions{})
	b.piece(0, 0, text[:50])
	middle := b.save(0)
	b.release(0)
	b.begin(0, device.BeginOptions{State: middle})
	first := b.finish(0, 50, whole[50:], ways[0].s)
	got := append([]device.Token{first}, b.plain(0, len(whole), after)...)
	b.release(0)
	b.same(got, b.alone(whole, ways[0].s, after), "restored mid-prompt")
}

func testBadStates(b *bench) {
	b.fill(0, b.text(34, 40), device.Sampling{})
	state := b.save(0)
	refuse := func(what string, o device.BeginOptions, want error) {
		b.Helper()
		if _, err := b.d.Begin(1, o); !errors.Is(err, want) {
			b.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	for _, n := range []int{1, len(state) / 2, len(state) - 1} {
		refuse(fmt.Sprintf("cut to %d of %d bytes", n, len(state)), device.BeginOptions{State: state[:n]}, device.ErrState)
	}
	for _, at := range []int{0, len(state) / 3, len(state) - 1} {
		bad := bytes.Clone(state)
		bad[at] ^= 1
		refuse(fmt.Sprintf("byte %d flipped", at), device.BeginOptions{State: bad}, device.ErrState)
	}
	refuse("empty and not nil", device.BeginOptions{State: []byte{}}, device.ErrState)
	refuse("more rows than it has", device.BeginOptions{State: state, Rows: 41}, device.ErrRows)
	refuse("rows below zero", device.BeginOptions{State: state, Rows: -1}, device.ErrRows)
	refuse("rows of no state", device.BeginOptions{Rows: 3}, device.ErrRows)
	if n, err := b.d.Begin(1, device.BeginOptions{State: state, Rows: 40}); n != 40 || err != nil {
		b.Errorf("the good state after the bad ones: %d rows, %v", n, err)
	}
}

// A slot that was lost is filled with its prompt and what was emitted; the
// last of that is pending whatever the device would draw.
func testResumed(b *bench) {
	text := b.text(35, 60)
	known := device.Token(2)
	b.begin(1, device.BeginOptions{})
	first, _, err := b.d.Finish(context.Background(), 1, 0, text, device.FinishOptions{Resumed: true, Known: known})
	if err != nil || first != known {
		b.Fatalf("resumed with %d, want %d: %v", first, known, err)
	}
	got := b.plain(1, len(text), after)
	b.release(1)
	b.exact()
	b.same(got, b.alone(append(text, known), device.Sampling{}, after-1), "resumed")
}
