// Package warm runs each kind of work of a device once. A GPU's programs are
// compiled when they are first needed: through Vulkan on an H200 that takes 1.4 s
// for the first row, 0.2 to 0.5 s for each number of rows up to 9, 8 s for a chunk
// of more, and 5 s where a context exceeds a thousand rows. No reply is to wait
// for that.
package warm

import (
	"context"
	"slices"

	"github.com/tfsim/tfsim/device"
)

// Up runs prompt chunks of all kinds of sizes, and passes and rounds of all
// numbers of slots and rows, near the beginning of a context and further in. The
// slots must be free, and are so afterwards.
func Up(ctx context.Context, d device.Device) error {
	u := &up{ctx: ctx, d: d, i: d.Info()}
	if err := u.chunks(); err != nil {
		return err
	}
	if err := u.decoding(u.i.Slots, shortest); err != nil {
		return err
	}
	return u.decoding(min(u.i.Slots, fewSlots), further)
}

const (
	// shortest and further are rows of the slots that decode, as far as a
	// context has them.
	shortest = 8
	further  = 1200
	// fewSlots are filled that far, which takes time.
	fewSlots = 2
)

type up struct {
	ctx context.Context
	d   device.Device
	i   *device.Info
}

// chunks feeds prompts of one chunk.
func (u *up) chunks() error {
	for _, rows := range sizes(min(u.i.Shapes.ChunkRows, u.i.Context-1)) {
		if err := u.prompt(0, rows); err != nil {
			return err
		}
		if err := u.d.Release(0); err != nil {
			return err
		}
	}
	return nil
}

// prompt fills a slot with so many rows; it then decodes.
func (u *up) prompt(slot, rows int) error {
	if _, err := u.d.Begin(slot, device.BeginOptions{}); err != nil {
		return err
	}
	_, _, err := u.d.Finish(u.ctx, slot, 0, u.i.Filler(rows), device.FinishOptions{})
	return err
}

// decoding runs passes and rounds of up to some slots of so many rows.
func (u *up) decoding(most, rows int) error {
	deepest := 1 + u.i.DraftDepth
	rows = min(rows, u.i.Context/2)
	if rows < 1 {
		return nil
	}
	at := make([]int, most) // rows of each slot
	free := func() error {
		held := make([]int, most)
		for s := range held {
			held[s] = s
		}
		return u.d.Release(held...)
	}
	for s := range at {
		if err := u.prompt(s, rows); err != nil {
			return err
		}
		at[s] = rows
	}
	for _, slots := range sizes(most) {
		for width := 1; width <= deepest && slots*width <= u.i.Shapes.LaunchRows; width++ {
			if slices.Max(at)+2*deepest >= u.i.Context {
				return free()
			}
			if err := u.round(at[:slots], width); err != nil {
				return err
			}
		}
	}
	return free()
}

// round asks for a width's drafts and verifies them.
func (u *up) round(at []int, width int) error {
	drafts := make([]device.Draft, 0, len(at)*(width-1))
	if width > 1 {
		asks := make([]device.Ask, len(at))
		for s := range asks {
			asks[s] = device.Ask{Slot: s, Depth: width - 1}
		}
		var err error
		if drafts, err = u.d.Pass(asks, drafts); err != nil {
			return err
		}
	}
	windows := make([]device.Window, len(at))
	for s := range windows {
		windows[s] = device.Window{Slot: s, Position: at[s]}
		for _, d := range drafts[s*(width-1) : (s+1)*(width-1)] {
			windows[s].Drafts = append(windows[s].Drafts, d.Token)
		}
	}
	verdicts, err := u.d.Verify(windows, nil)
	for s := range verdicts {
		at[s] += len(verdicts[s].Tokens)
	}
	return err
}

// sizes are the numbers up to most by which programs may differ: all small ones,
// then around powers of two and their halves.
func sizes(most int) []int {
	const small = 9
	var all []int
	for n := 1; n <= min(small, most); n++ {
		all = append(all, n)
	}
	for power := 16; power/2 < most; power *= 2 {
		for _, n := range []int{power * 3 / 4, power, power + 1} {
			if n > small && n < most {
				all = append(all, n)
			}
		}
	}
	if most > small {
		all = append(all, most)
	}
	return all
}
