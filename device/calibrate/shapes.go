package calibrate

import (
	"slices"
	"time"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel/sampled"
	"github.com/tfsim/tfsim/device"
)

const (
	// shortest is the fewest rows of a slot that decodes.
	shortest = 64
	// pause makes a machine idle.
	pause = 300 * time.Millisecond
)

// prompts times steps by rows and position, and what takes a slot and what ends
// a prompt.
func (b *bench) prompts() error {
	chunk := b.info.Shapes.ChunkRows
	sizes := []int{1, 8, max(chunk/4, 1), chunk, max(b.o.StepRows/2, 1), b.o.StepRows}
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
	for _, rows := range slices.Compact([]int{chunk, most}) {
		if rows >= b.info.Context {
			continue
		}
		b.o.Sleep(pause)
		if err := b.step(0, rows, true); err != nil {
			return err
		}
		b.set.Chunks[len(b.set.Chunks)-1].Idle = true
		if err := b.free(); err != nil {
			return err
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
	tokens := b.info.Filler(from + rows)[from:]
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
	b.cold = 1
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
		if _, err := b.device.Piece(b.ctx, slot, b.rows[slot], b.info.Filler(rows)[b.rows[slot]:]); err != nil {
			return err
		}
		b.rows[slot] = rows
		b.cold = 1
	}
	return nil
}

// open fills slots, which then decode; the last step of each is of as many rows
// as a chunk has, as most prompts' are.
func (b *bench) open(slots, rows int, s device.Sampling) error {
	for slot := range slots {
		all := rows + slot
		if err := b.feed(slot, max(all-b.info.Shapes.ChunkRows, 0)); err != nil {
			return err
		}
		from := b.rows[slot]
		last := b.info.Filler(all)[from:]
		if _, _, err := b.device.Finish(b.ctx, slot, from, last, device.FinishOptions{Sampling: s}); err != nil {
			return err
		}
		b.rows[slot] = all
		b.cold = 1
	}
	return nil
}

// settle times the rounds after a prompt step, which are slow.
func (b *bench) settle(slots int, drawn bool) error {
	for range sampled.Colds {
		if err := b.round(slots, 1, drawn); err != nil {
			return err
		}
	}
	b.cold = 0
	return nil
}

// sweeps repeats quick measurements until they have taken a part of the budget:
// a turn's prompts take so long that few turns fit.
func (b *bench) sweeps(part float64, sweep func() error) error {
	started := b.o.Now()
	for range mostSweeps {
		if err := sweep(); err != nil {
			return err
		}
		if b.o.Now().Sub(started).Seconds() >= part*b.o.Budget.Seconds() {
			return nil
		}
	}
	return nil
}

const (
	roundsPart = 1.0 / 60 // of the budget, for each kind of rounds in a turn
	passesPart = 1.0 / 40
	mostSweeps = 32
)

// decoding times windows by slots and rows of each, and passes, greedy near the
// beginning, and some of them far into the context and at a temperature.
func (b *bench) decoding() error {
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
		if err := b.settle(1, !c.sampling.Greedy()); err != nil {
			return err
		}
		err := b.sweeps(roundsPart, func() error {
			for slots := 1; slots <= b.info.Slots; slots++ {
				for rows := 1; rows <= 1+max(b.o.Depth, 1); rows++ {
					if slots*rows > b.info.Shapes.LaunchRows || !c.all && (rows > 2 || slots != 1 && slots != b.info.Slots) {
						continue
					}
					// The first launch of a shape pays for the change: most
					// rounds are as the one before.
					if err := b.untimed(slots, rows); err != nil {
						return err
					}
					if err := b.round(slots, rows, c.sampling.Temperature > 0); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err == nil && c.sampling.Greedy() {
			err = b.passes(c.all)
		}
		if err != nil {
			return err
		}
		if err := b.free(); err != nil {
			return err
		}
	}
	return nil
}

// context is the rows in the caches of the first slots, as the device counts
// them.
func (b *bench) context(slots int) int {
	total, longest := 0, 0
	for _, rows := range b.rows[:slots] {
		total += rows
		longest = max(longest, rows)
	}
	if b.info.Shapes.Packing().Longest {
		return slots * longest
	}
	return total
}

// round times one launch of equal windows, whose drafts are any.
func (b *bench) round(slots, rows int, drawn bool) error {
	l := sampled.Launch{Windows: slots, Rows: slots * rows, Context: b.context(slots), Cold: b.cold}
	if b.cold > 0 {
		b.cold++
	}
	if drawn {
		l.Sampled = l.Rows
	}
	ms, err := b.verify(slots, func(int) []device.Token { return b.info.Filler(rows - 1) })
	if l.Ms = ms; ms > 0 {
		b.set.Launches = append(b.set.Launches, l)
	}
	return err
}

// verify runs a launch of windows with drafts by slot, and gives its ms: 0 where
// the context has no room for it.
func (b *bench) verify(slots int, drafts func(slot int) []device.Token) (ms float64, err error) {
	windows := make([]device.Window, slots)
	for i := range windows {
		windows[i] = device.Window{Slot: i, Position: b.rows[i], Drafts: drafts(i)}
		if b.rows[i]+windows[i].Rows()+1 >= b.info.Context {
			return 0, nil
		}
	}
	var verdicts []device.Verdict
	ms, err = b.time(func() error {
		verdicts, err = b.device.Verify(windows, nil)
		return err
	})
	if err != nil {
		return 0, err
	}
	for i := range verdicts {
		b.rows[i] += len(verdicts[i].Tokens)
	}
	return ms, nil
}

// passes times the drafter by asks and depth, at once after the last pass and
// with a round to catch up on; where slots are far into the context, for the
// least and most slots alone.
func (b *bench) passes(all bool) error {
	if b.o.Depth == 0 {
		return nil
	}
	return b.sweeps(passesPart, func() error {
		for slots := 1; slots <= b.info.Slots; slots++ {
			if !all && slots != 1 && slots != b.info.Slots {
				continue
			}
			for _, depth := range slices.Compact([]int{1, b.o.Depth}) {
				if err := b.pass(slots, depth); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

const (
	// someBehind is some rounds to catch up on.
	someBehind = 8
	// passesEach is how many passes follow each other, each after a round.
	passesEach = 5
)

// pass times passes: after a round that verified the drafts of the one before,
// and after more rounds, to catch up on.
func (b *bench) pass(slots, depth int) error {
	asks := make([]device.Ask, slots)
	for i := range asks {
		if b.rows[i]+passesEach*(1+depth)+2*someBehind >= b.info.Context {
			return nil
		}
		asks[i] = device.Ask{Slot: i, Depth: depth}
	}
	var drafts []device.Draft
	for _, behind := range [passesEach]int{-1, 0, 0, 1, someBehind} { // below 0 it counts for nothing
		kept, err := b.drafted(slots, depth, drafts)
		if err != nil {
			return err
		}
		for range behind {
			if err := b.untimed(slots, 1); err != nil {
				return err
			}
		}
		asked := core.Asked{Asks: slots, Depth: depth, Unread: kept}
		if behind > 0 {
			asked.CatchUps, asked.Rounds = slots, slots*behind
		}
		took, err := b.time(func() (err error) {
			drafts, err = b.device.Pass(asks, drafts[:0])
			return err
		})
		if err != nil {
			return err
		}
		if behind >= 0 {
			b.set.Passes = append(b.set.Passes, sampled.Pass{Asked: asked, Context: b.context(slots), Ms: took})
		}
	}
	return nil
}

// drafted is a round that verifies the drafts of a pass, untimed; a plain one
// where there are none, or where they do not fit a launch. It says of how many
// slots all were kept.
func (b *bench) drafted(slots, depth int, drafts []device.Draft) (kept int, err error) {
	if len(drafts) == 0 || slots*(1+depth) > b.info.Shapes.LaunchRows {
		return 0, b.untimed(slots, 1)
	}
	before := slices.Clone(b.rows[:slots])
	_, err = b.verify(slots, func(slot int) []device.Token {
		tokens := make([]device.Token, depth)
		for j := range tokens {
			tokens[j] = drafts[slot*depth+j].Token
		}
		return tokens
	})
	for slot, rows := range before {
		if b.rows[slot] == rows+depth+1 {
			kept++
		}
	}
	return kept, err
}

// untimed is a launch that counts for nothing.
func (b *bench) untimed(slots, rows int) error {
	n := len(b.set.Launches)
	err := b.round(slots, rows, false)
	b.set.Launches = b.set.Launches[:min(n, len(b.set.Launches))]
	return err
}

// restores times the restoring of a short state and of a longer one.
func (b *bench) restores() error {
	for _, rows := range []int{min(shortest, b.info.Context/4), min(1024, b.info.Context/2)} {
		if err := b.restore(max(rows, 1)); err != nil {
			return err
		}
	}
	return nil
}

// restore times a state of so many rows, once after one that counts for nothing.
func (b *bench) restore(rows int) error {
	if err := b.open(1, rows, device.Sampling{}); err != nil {
		return err
	}
	state, err := b.device.Save(0)
	if err != nil {
		return err
	}
	for _, counts := range []bool{false, true} {
		if err := b.free(); err != nil {
			return err
		}
		took, err := b.time(func() error { return b.again(state, rows) })
		if err != nil {
			return err
		}
		if counts {
			b.set.Restores = append(b.set.Restores, sampled.Restore{Rows: rows, Ms: took})
		}
	}
	return b.free()
}
