package calibrate

import (
	"errors"
	"slices"

	"github.com/tfsim/tfsim/costmodel/sampled"
	"github.com/tfsim/tfsim/device"
)

// shortest is the fewest rows of a slot that decodes.
const shortest = 64

// prompts times steps by rows and position, and what takes a slot and what ends
// a prompt.
func (b *bench) prompts() error {
	chunk := b.info.Shapes.ChunkRows
	sizes := []int{8, max(chunk/4, 1), chunk, b.o.StepRows}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	most := sizes[len(sizes)-1]
	starts := []int{0}
	for _, part := range []int{8, 3} {
		if at := min(b.info.Context-2*most, 2*b.reach) / part; at > starts[len(starts)-1] {
			starts = append(starts, at)
		}
	}
	for _, rows := range sizes {
		for _, last := range []bool{false, true} {
			if rows >= b.info.Context {
				continue
			}
			if err := b.step(0, rows, last); err != nil {
				return err
			}
			if err := b.free(); err != nil {
				return err
			}
		}
	}
	for _, at := range starts[1:] {
		if err := b.feed(0, at); err != nil {
			return err
		}
		state, err := b.device.Save(0)
		if err != nil {
			return err
		}
		for _, rows := range sizes {
			if err := b.again(state, at); err != nil {
				return err
			}
			if err := b.step(0, rows, false); err != nil {
				return err
			}
		}
		if err := b.free(); err != nil {
			return err
		}
	}
	return nil
}

// again brings slot 0 back to a state of so many rows.
func (b *bench) again(state []byte, rows int) error {
	if err := b.free(); err != nil {
		return err
	}
	_, err := b.device.Begin(0, device.BeginOptions{State: state})
	if err == nil {
		b.rows[0] = rows
	}
	return err
}

// step times rows of slot's prompt.
func (b *bench) step(slot, rows int, last bool) error {
	from := max(b.rows[slot], 0)
	tokens := b.text(from + rows)[from:]
	c := sampled.Chunk{Rows: rows, From: from, First: from == 0, Last: last}
	var err error
	c.Ms, err = b.time(func() error {
		if from == 0 {
			if _, err := b.device.Begin(slot, device.BeginOptions{}); err != nil {
				return err
			}
			b.rows[slot] = 0
		}
		if !last {
			_, err := b.device.Piece(b.ctx, slot, from, tokens)
			return err
		}
		_, _, err := b.device.Finish(b.ctx, slot, from, tokens, device.FinishOptions{})
		return err
	})
	if err != nil {
		return err
	}
	b.rows[slot] = from + rows
	b.set.Chunks = append(b.set.Chunks, c)
	return nil
}

// feed brings a slot to so many rows, untimed.
func (b *bench) feed(slot, rows int) error {
	if b.rows[slot] < 0 {
		if _, err := b.device.Begin(slot, device.BeginOptions{}); err != nil {
			return err
		}
		b.rows[slot] = 0
	}
	if n := rows - b.rows[slot]; n > 0 {
		if _, err := b.device.Piece(b.ctx, slot, b.rows[slot], b.text(rows)[b.rows[slot]:]); err != nil {
			return err
		}
		b.rows[slot] = rows
	}
	return nil
}

// open fills slots, which then decode.
func (b *bench) open(slots, rows int, s device.Sampling) error {
	for slot := range slots {
		if err := b.feed(slot, rows-1+slot); err != nil {
			return err
		}
		from := b.rows[slot]
		last := b.text(from + 1)[from:]
		if _, _, err := b.device.Finish(b.ctx, slot, from, last, device.FinishOptions{Sampling: s}); err != nil {
			return err
		}
		b.rows[slot]++
	}
	return nil
}

// rounds times windows by slots and rows of each, greedy near the beginning,
// and some of them far into the context and at a temperature.
func (b *bench) rounds() error {
	far := max(min(b.info.Context/2, b.reach/b.info.Slots), 2)
	for _, c := range []struct {
		at       int
		sampling device.Sampling
		all      bool
	}{
		{min(shortest, far), device.Sampling{}, true},
		{far, device.Sampling{}, false},
		{min(shortest, far), device.Sampling{Temperature: 0.8}, false},
	} {
		if err := b.open(b.info.Slots, c.at, c.sampling); err != nil {
			return err
		}
		for slots := 1; slots <= b.info.Slots; slots++ {
			for rows := 1; rows <= 1+max(b.o.Depth, 1); rows++ {
				if slots*rows > b.info.Shapes.LaunchRows || !c.all && (rows > 2 || slots != 1 && slots != b.info.Slots) {
					continue
				}
				if err := b.round(slots, rows, c.sampling.Temperature > 0); err != nil {
					return err
				}
			}
		}
		if err := b.free(); err != nil {
			return err
		}
	}
	return nil
}

// round times one launch of equal windows, whose drafts are any.
func (b *bench) round(slots, rows int, drawn bool) error {
	l := sampled.Launch{Windows: slots, Rows: slots * rows}
	if drawn {
		l.Sampled = l.Rows
	}
	drafts := b.text(rows - 1)
	windows := make([]device.Window, slots)
	for i := range windows {
		if b.rows[i]+rows+1 >= b.info.Context {
			return nil
		}
		windows[i] = device.Window{Slot: i, Position: b.rows[i], Drafts: drafts}
		l.Context += b.rows[i]
	}
	var verdicts []device.Verdict
	var err error
	l.Ms, err = b.time(func() error {
		verdicts, err = b.device.Verify(windows, nil)
		return err
	})
	if err != nil {
		return err
	}
	for i := range verdicts {
		b.rows[i] += len(verdicts[i].Tokens)
	}
	b.set.Launches = append(b.set.Launches, l)
	return nil
}

// passes times the drafter by asks, at once after the last pass and with a
// round to catch up on.
func (b *bench) passes() error {
	if b.o.Depth == 0 {
		return nil
	}
	if err := b.open(b.info.Slots, min(shortest, b.info.Context/2), device.Sampling{}); err != nil {
		return err
	}
	for slots := 1; slots <= b.info.Slots; slots++ {
		for _, late := range []bool{true, false} {
			// A round that nobody drafted for comes before the pass, or none does.
			if late {
				if err := b.untimed(slots); err != nil {
					return err
				}
				if err := b.pass(slots, -1); err != nil {
					return err
				}
				if err := b.untimed(slots); err != nil {
					return err
				}
				if err := b.untimed(slots); err != nil {
					return err
				}
				if err := b.pass(slots, slots); err != nil {
					return err
				}
				continue
			}
			if err := b.untimed(slots); err != nil {
				return err
			}
			if err := b.pass(slots, 0); err != nil {
				return err
			}
		}
	}
	return b.free()
}

// untimed is a plain round.
func (b *bench) untimed(slots int) error {
	n := len(b.set.Launches)
	err := b.round(slots, 1, false)
	b.set.Launches = b.set.Launches[:min(n, len(b.set.Launches))]
	return err
}

// pass times a pass, late of whose asks have rounds to catch up on; below zero
// it counts for nothing.
func (b *bench) pass(slots, late int) error {
	asks := make([]device.Ask, slots)
	for i := range asks {
		asks[i] = device.Ask{Slot: i, Depth: b.o.Depth}
	}
	took, err := b.time(func() error {
		_, err := b.device.Pass(asks, nil)
		return err
	})
	if err == nil && late >= 0 {
		b.set.Passes = append(b.set.Passes, sampled.Pass{Asks: slots, CatchUps: late, Ms: took})
	}
	return err
}

// restores times the restoring of a state.
func (b *bench) restores() error {
	rows := max(min(1024, b.info.Context/2), 1)
	if err := b.open(1, rows, device.Sampling{}); err != nil {
		return err
	}
	state, err := b.device.Save(0)
	if err != nil {
		return err
	}
	if err := b.free(); err != nil {
		return err
	}
	took, err := b.time(func() error { return b.again(state, rows) })
	b.set.Restores = append(b.set.Restores, took)
	return errors.Join(err, b.free())
}
