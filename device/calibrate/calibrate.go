// Package calibrate measures what a device's work costs, within a time budget.
//
// It goes round and round over the shapes that a scheduler asks for, so that a
// slow spell of the machine touches all of them. Times are those of the caller:
// what the way to another process adds is in them.
package calibrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/costmodel/sampled"
	"github.com/tfsim/tfsim/device"
)

// Options say how to measure.
type Options struct {
	// Budget bounds the time; the turn under way is finished. 0 is half a
	// minute.
	Budget time.Duration
	// Depth is the drafts of a pass, the device's own if 0.
	Depth int
	// StepRows is the most rows of a prompt step, four chunks if 0.
	StepRows int
	// Now is the clock, the system's if nil.
	Now func() time.Time
	// Sleep lets time pass, time.Sleep if nil.
	Sleep func(time.Duration)
	// Progress, if not nil, is told the part that is done, after each shape.
	Progress func(part float64)
}

// ErrBudget says that the time was not enough for every shape to be timed once.
var ErrBudget = errors.New("calibrate: the budget is too short for every shape to be timed")

// Device measures a device whose slots are free, and leaves them free. The
// machine of the table is named here; its drafts' worth is not measured.
func Device(ctx context.Context, d device.Device, o Options) (*costmodel.Table, error) {
	info := d.Info()
	if o.Budget == 0 {
		o.Budget = 30 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = time.Sleep
	}
	if o.Depth == 0 || o.Depth > info.DraftDepth {
		o.Depth = info.DraftDepth
	}
	if o.StepRows == 0 {
		o.StepRows = 4 * info.Shapes.ChunkRows
	}
	b := newBench(ctx, d, o)
	if err := b.run(); errors.Is(err, device.ErrLost) {
		return nil, err // and the slots with it
	} else if err != nil {
		return nil, errors.Join(err, b.free())
	}
	if err := b.free(); err != nil {
		return nil, err
	}
	text := costmodel.DraftText{Settle: 1, Score: costmodel.Score{Scale: 1}}
	unknown := costmodel.Provenance{Grade: costmodel.Estimated, Source: "not measured"}
	t := &costmodel.Table{
		Machine: "calibrated", Device: fmt.Sprintf("%s, %s", info.Name, info.Build), Weights: weights(info),
		Limits:     limits(info),
		Provenance: costmodel.Sections{Drafts: unknown},
		// The kinds of text that scenarios name.
		Drafts: costmodel.Drafts{Block: max(o.Depth, 1), Loads: map[string]costmodel.DraftLoad{
			"chat": {Greedy: text, Sampled: text}, "code": {Greedy: text, Sampled: text},
		}},
		KeptMiBPer1K: float64(info.StateBytes) * 1000 / (1 << 20),
	}
	if info.Shapes.Packing().Longest {
		t.Caches = costmodel.StreamCaches
	}
	err := b.set.Costs(t, costmodel.Provenance{
		Grade: costmodel.Measured, Source: "tfsim calibrate",
		Method: turns(b.turns),
	})
	if t.Drafter != nil {
		t.Drafter.MostBehind = info.DraftBehind
	}
	return t, err
}

func limits(i *device.Info) costmodel.Limits {
	p := i.Shapes.Packing()
	return costmodel.Limits{Rows: i.Shapes.LaunchRows, Windows: i.Slots, Least: p.Least, Multiple: p.Multiple}
}

func turns(n int) string {
	if n == 1 {
		return "1 turn over all shapes"
	}
	return fmt.Sprintf("%d turns over all shapes", n)
}

func weights(i *device.Info) string {
	s := i.Model + " " + i.Weights
	if i.Drafter != "" {
		s += ", drafted by " + i.Drafter
	}
	return s
}

// bench is a device being measured.
type bench struct {
	ctx    context.Context
	device device.Device
	info   *device.Info
	o      Options
	set    sampled.Set
	rows   []int // of each slot; -1 for a free one
	cold   int   // place of the next launch after a prompt step, from 1; 0 for later ones
	turns  int
	began  time.Time
	reach  int // rows that a turn may feed to get far into a context
}

func newBench(ctx context.Context, d device.Device, o Options) *bench {
	b := &bench{ctx: ctx, device: d, info: d.Info(), o: o, rows: make([]int, d.Info().Slots)}
	for i := range b.rows {
		b.rows[i] = -1
	}
	return b
}

// run takes turns until the budget is over. The first warms up and counts for
// nothing.
func (b *bench) run() error {
	b.began = b.o.Now()
	if err := b.measureReach(); err != nil {
		return err
	}
	for warm := true; ; warm = false {
		before := b.o.Now()
		if err := b.turn(warm); err != nil {
			return err
		}
		if warm {
			b.set = sampled.Set{}
		} else {
			b.turns++
		}
		now := b.o.Now()
		spent, last := now.Sub(b.began), now.Sub(before)
		if spent+last > b.o.Budget && b.turns > 0 {
			return nil
		}
		if spent > b.o.Budget {
			return ErrBudget
		}
	}
}

// measureReach lets a turn feed rows that are only there to be far into a
// context: as many as would take a thirtieth of the budget near its beginning.
func (b *bench) measureReach() error {
	rows := min(b.info.Shapes.ChunkRows, b.info.Context)
	ms, err := b.time(func() error { return b.feed(0, rows) })
	if err != nil {
		return err
	}
	b.reach = b.info.Context
	if ms > 0 {
		b.reach = int(min(float64(b.reach)*float64(b.info.Slots), float64(b.o.Budget.Milliseconds())/30*float64(rows)/ms))
	}
	return b.free()
}

// turn times every shape; a warm one, what takes long left out.
func (b *bench) turn(warm bool) error {
	shapes := []func() error{b.prompts, b.decoding, b.restores}
	if warm {
		shapes = []func() error{b.decoding}
	}
	for i, f := range shapes {
		if err := b.ctx.Err(); err != nil {
			return context.Cause(b.ctx)
		}
		if err := f(); err != nil {
			return err
		}
		if b.o.Progress != nil {
			part := float64(b.o.Now().Sub(b.began)) / float64(b.o.Budget)
			if warm {
				part = min(part, float64(i+1)/float64(2*len(shapes)))
			}
			b.o.Progress(min(part, 1))
		}
	}
	return nil
}

// time calls f and gives what it took, in ms.
func (b *bench) time(f func() error) (ms float64, err error) {
	start := b.o.Now()
	err = f()
	return float64(b.o.Now().Sub(start).Nanoseconds()) / 1e6, err
}

func (b *bench) free() error {
	var held []int
	for s, rows := range b.rows {
		if rows >= 0 {
			held = append(held, s)
			b.rows[s] = -1
		}
	}
	if len(held) == 0 {
		return nil
	}
	return b.device.Release(held...)
}
