package llamacpp_test

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/exactness"
	"github.com/tfsim/tfsim/device/llamacpp"
)

// source is a text of the kind that the demo pair knows.
func source(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, name := range []string{"process.go", "open.go", "device_test.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return b.String()
}

// The rules keep the very bits: what a slot's cache holds after a long prompt
// and a reply is the same byte for byte, whole and alone, or in pieces, in
// windows with refused drafts, and beside others.
func TestBits(t *testing.T) {
	for _, exact := range []string{"on", "whole"} {
		t.Run(exact, func(t *testing.T) {
			o := settings(t)
			if !exactHere() {
				t.Skip("exact mode cannot be promised here")
			}
			o.Exact, o.Drafter, o.Context = exact, llamacpp.DrafterNone, 2048
			d := open(t, o)
			prompt, err := d.Tokenize(source(t), false, false)
			if err != nil || len(prompt) < 1200 {
				t.Fatalf("%d tokens, %v", len(prompt), err)
			}
			prompt = prompt[:1200]
			want, state := run(t, d, prompt, false)
			got, other := run(t, d, prompt, true)
			if !slices.Equal(got, want) {
				t.Errorf("tokens differ\n got  %v\n want %v", got, want)
			}
			if !bytes.Equal(state, other) {
				t.Error("states differ")
			}
		})
	}
}

// run fills slot 1 and decodes some tokens: whole and alone, or mixed.
func run(t *testing.T, d device.Device, prompt []device.Token, mixed bool) ([]device.Token, []byte) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	neighbours := [2]device.Window{{Slot: 0}, {Slot: 2}}
	verify := func(w ...device.Window) []device.Token {
		t.Helper()
		if mixed {
			w = append(w, neighbours[0], neighbours[1])
		}
		v, err := d.Verify(w, nil)
		must(err)
		for i := range v[1:] {
			neighbours[i].Position += len(v[1+i].Tokens)
		}
		return v[0].Tokens
	}
	if mixed {
		for i := range neighbours {
			w := &neighbours[i]
			_, err := d.Begin(w.Slot, device.BeginOptions{})
			must(err)
			w.Position = 40 + 300*i
			_, _, err = d.Finish(ctx, w.Slot, 0, prompt[200:200+w.Position], device.FinishOptions{})
			must(err)
		}
	}
	_, err := d.Begin(1, device.BeginOptions{})
	must(err)
	from := 0
	for size := 1; mixed && from+size < len(prompt); size = size%97 + 13 {
		_, err := d.Piece(ctx, 1, from, prompt[from:from+size])
		must(err)
		from += size
	}
	first, _, err := d.Finish(ctx, 1, from, prompt[from:], device.FinishOptions{})
	must(err)
	out := []device.Token{first}
	for len(out) <= 100 {
		w := device.Window{Slot: 1, Position: len(prompt) + len(out) - 1}
		if mixed {
			// Some right drafts, when the text repeats itself, and wrong ones.
			w.Drafts = prompt[len(out) : len(out)+min(len(out)%6, 100-len(out))]
			w.Pad = len(out) % 3
		}
		out = append(out, verify(w)...)
	}
	state, err := d.Save(1)
	must(err)
	must(d.Release(1))
	if mixed {
		must(d.Release(0, 2))
	}
	return out, state
}

// What the exact rules promise, a measurement on the spot finds; without them
// it finds what batches change.
func TestMeasured(t *testing.T) {
	for _, exact := range []string{"on", "whole", "off"} {
		t.Run(exact, func(t *testing.T) {
			o := settings(t)
			if exact != "off" && !exactHere() {
				t.Skip("exact mode cannot be promised here")
			}
			o.Exact, o.Drafter = exact, llamacpp.DrafterNone
			d := open(t, o)
			prompt, err := d.Tokenize(source(t), false, false)
			if err != nil {
				t.Fatal(err)
			}
			text := exactness.Text{Prompt: prompt[:150], Tokens: 200, Sampling: device.Sampling{Temperature: 1, Seed: 7}}
			results, err := exactness.Measure(context.Background(), d, text, exactness.Schedules(o.Slots))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range results {
				t.Logf("%-40s %d of %d changed, first at %d", r.Schedule, r.Changed, r.Tokens, r.First)
				if exact != "off" && r.Changed > 0 {
					t.Errorf("%s: the promise does not hold", r.Schedule)
				}
			}
		})
	}
}
