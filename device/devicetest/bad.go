package devicetest

import (
	"context"
	"errors"
	"math"

	"github.com/tfsim/tfsim/device"
)

// Every kind of bad call is an error of its kind, and changes nothing.
func testBadCalls(b *bench) {
	ctx := context.Background()
	text := b.text(61, 30)
	vocabulary := device.Token(b.info.Vocabulary)
	// Slot 0 decodes, slot 1 fills, slot 2 decodes without drafts, 3 is free.
	first := b.fill(0, text, device.Sampling{})
	b.begin(1, device.BeginOptions{})
	b.piece(1, 0, text[:10])
	b.begin(2, device.BeginOptions{NoDraft: true})
	b.finish(2, 0, text, device.Sampling{})

	begin := func(slot int) error { _, err := b.d.Begin(slot, device.BeginOptions{}); return err }
	piece := func(slot, from int, tokens []device.Token) error {
		n, err := b.d.Piece(ctx, slot, from, tokens)
		if n != 0 {
			b.Errorf("a bad piece fed %d rows", n)
		}
		return err
	}
	finish := func(slot, from int, tokens []device.Token, o device.FinishOptions) error {
		_, n, err := b.d.Finish(ctx, slot, from, tokens, o)
		if n != 0 {
			b.Errorf("a bad finish fed %d rows", n)
		}
		return err
	}
	verify := func(windows ...device.Window) error { _, err := b.d.Verify(windows, nil); return err }
	pass := func(asks ...device.Ask) error { _, err := b.d.Pass(asks, nil); return err }
	draw := func(s device.Sampling) error { return finish(1, 10, text[10:], device.FinishOptions{Sampling: s}) }
	save := func(slot int) error { _, err := b.d.Save(slot); return err }
	good := device.Window{Slot: 0, Position: 30}
	long := make([]device.Token, rows+1)
	wide := make([]device.Token, b.info.Shapes.LaunchRows)
	nan := math.NaN()

	for _, c := range []struct {
		what string
		err  error
		want error
	}{
		{"begin slot -1", begin(-1), device.ErrSlot},
		{"begin slot 4", begin(slots), device.ErrSlot},
		{"begin slot 1<<40", begin(1 << 40), device.ErrSlot},
		{"begin a slot that decodes", begin(0), device.ErrPhase},
		{"begin a slot that fills", begin(1), device.ErrPhase},
		{"piece of slot 9", piece(9, 0, text), device.ErrSlot},
		{"piece of slot -1", piece(-1, 0, text), device.ErrSlot},
		{"piece of a free slot", piece(3, 0, text), device.ErrPhase},
		{"piece of a slot that decodes", piece(0, 30, text), device.ErrPhase},
		{"piece after a gap", piece(1, 11, text), device.ErrPosition},
		{"piece once more", piece(1, 9, text), device.ErrPosition},
		{"piece at -1", piece(1, -1, text), device.ErrPosition},
		{"piece of nothing", piece(1, 10, nil), device.ErrRows},
		{"piece beyond the context", piece(1, 10, long[:rows-9]), device.ErrFull},
		{"piece of token -1", piece(1, 10, []device.Token{1, -1}), device.ErrToken},
		{"piece of a token too high", piece(1, 10, []device.Token{vocabulary}), device.ErrToken},
		{"finish slot 4", finish(4, 0, text, device.FinishOptions{}), device.ErrSlot},
		{"finish of nothing", finish(1, 10, nil, device.FinishOptions{}), device.ErrRows},
		{"finish after a gap", finish(1, 20, text, device.FinishOptions{}), device.ErrPosition},
		{"finish beyond the context", finish(1, 10, long, device.FinishOptions{}), device.ErrFull},
		{"finish a free slot", finish(3, 0, text, device.FinishOptions{}), device.ErrPhase},
		{"finish of token 1<<30", finish(1, 10, []device.Token{1 << 30}, device.FinishOptions{}), device.ErrToken},
		{"finish with a bad known token", finish(1, 10, text, device.FinishOptions{Resumed: true, Known: vocabulary}), device.ErrToken},
		{"temperature -1", draw(device.Sampling{Temperature: -1}), device.ErrSampling},
		{"temperature NaN", draw(device.Sampling{Temperature: nan}), device.ErrSampling},
		{"temperature infinite", draw(device.Sampling{Temperature: math.Inf(1)}), device.ErrSampling},
		{"top-k -1", draw(device.Sampling{TopK: -1}), device.ErrSampling},
		{"top-p 1.5", draw(device.Sampling{TopP: 1.5}), device.ErrSampling},
		{"min-p NaN", draw(device.Sampling{MinP: nan}), device.ErrSampling},
		{"a launch of nothing", verify(), device.ErrRows},
		{"window of slot 4", verify(device.Window{Slot: 4}), device.ErrSlot},
		{"window of slot -1", verify(good, device.Window{Slot: -1}), device.ErrSlot},
		{"window of a free slot", verify(device.Window{Slot: 3}), device.ErrPhase},
		{"window of a slot that fills", verify(good, device.Window{Slot: 1, Position: 10}), device.ErrPhase},
		{"window twice", verify(good, good), device.ErrSlot},
		{"window after a gap", verify(device.Window{Slot: 0, Position: 31}), device.ErrPosition},
		{"window once more", verify(device.Window{Slot: 0, Position: 29}), device.ErrPosition},
		{"window with padding -1", verify(device.Window{Slot: 0, Position: 30, Pad: -1}), device.ErrRows},
		{"window with padding 1<<40", verify(device.Window{Slot: 0, Position: 30, Pad: 1 << 40}), device.ErrRows},
		{"window too wide", verify(device.Window{Slot: 0, Position: 30, Drafts: wide}), device.ErrRows},
		{"windows too many rows", verify(device.Window{Slot: 0, Position: 30, Drafts: wide[1:]}, device.Window{Slot: 2, Position: 30}), device.ErrRows},
		{"window of token -1", verify(device.Window{Slot: 0, Position: 30, Drafts: []device.Token{-1}}), device.ErrToken},
		{"window of a token too high", verify(device.Window{Slot: 0, Position: 30, Drafts: []device.Token{vocabulary}}), device.ErrToken},
		{"a pass of nothing", pass(), device.ErrRows},
		{"ask of slot 4", pass(device.Ask{Slot: 4, Depth: 1}), device.ErrSlot},
		{"ask of a free slot", pass(device.Ask{Slot: 3, Depth: 1}), device.ErrPhase},
		{"ask of a slot that fills", pass(device.Ask{Slot: 1, Depth: 1}), device.ErrPhase},
		{"ask of a slot without drafts", pass(device.Ask{Slot: 2, Depth: 1}), device.ErrPhase},
		{"ask of depth 0", pass(device.Ask{Slot: 0}), device.ErrRows},
		{"ask too deep", pass(device.Ask{Slot: 0, Depth: b.info.DraftDepth + 1}), device.ErrRows},
		{"release slot 4", b.d.Release(4), device.ErrSlot},
		{"release slot -1", b.d.Release(0, -1), device.ErrSlot},
		{"release a free slot", b.d.Release(0, 3), device.ErrPhase},
		{"release twice", b.d.Release(0, 0), device.ErrSlot},
		{"save slot 4", save(4), device.ErrSlot},
		{"save a free slot", save(3), device.ErrPhase},
	} {
		if !errors.Is(c.err, c.want) {
			b.Errorf("%s: %v, want %v", c.what, c.err, c.want)
		}
	}
	if b.info.DraftDepth > 0 {
		if err := pass(device.Ask{Slot: 0, Depth: 1}, device.Ask{Slot: 0, Depth: 1}); !errors.Is(err, device.ErrSlot) {
			b.Errorf("ask twice: %v, want %v", err, device.ErrSlot)
		}
	}
	got := append([]device.Token{first}, b.plain(0, 30, 20)...)
	filled := b.finish(1, 10, text[10:], device.Sampling{})
	b.release(0, 2)
	if b.info.Promise.Level >= device.Exact {
		want := b.alone(text, device.Sampling{}, 20)
		b.same(got, want, "after bad calls")
		b.same([]device.Token{filled}, want[:1], "filled after bad calls")
	}
}

// A slot takes as many rows as the context says, and then refuses.
func testFull(b *bench) {
	text := b.text(62, rows-3)
	b.fill(0, text, device.Sampling{})
	b.plain(0, rows-3, 3)
	if _, err := b.d.Verify([]device.Window{{Slot: 0, Position: rows}}, nil); !errors.Is(err, device.ErrFull) {
		b.Errorf("a row beyond the context: %v", err)
	}
	b.fill(1, b.text(63, rows-1), device.Sampling{})
	drafts := []device.Token{1, 1}
	if _, err := b.d.Verify([]device.Window{{Slot: 1, Position: rows - 1, Drafts: drafts}}, nil); !errors.Is(err, device.ErrFull) {
		b.Errorf("drafts beyond the context: %v", err)
	}
	b.plain(1, rows-1, 1)
	b.fill(2, b.text(64, rows), device.Sampling{})
	state := b.save(2)
	b.release(0)
	if n := b.begin(0, device.BeginOptions{State: state}); n != rows {
		b.Errorf("restored %d rows of a full slot", n)
	}
	b.release(0, 1, 2)
}
