package fake

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/ledger"
	"github.com/tfsim/tfsim/device/sampling"
)

var (
	_ device.Device    = (*Device)(nil)
	_ device.Tokenizer = (*Device)(nil)
	_ device.Restarter = (*Device)(nil)
)

// Device is a fake device.
type Device struct {
	options Options
	info    device.Info
	books   *ledger.Ledger
	// rows is the cache: of each slot, the hash of the text up to each row.
	rows    [][]uint64
	lost    bool
	worked  time.Duration
	sampler sampling.Sampler
	logits  [Vocabulary]float32
	drawn   []device.Token
}

// Open opens a fake device.
func Open(o Options) *Device {
	d := &Device{options: o, info: o.info()}
	d.books = ledger.New(&d.info)
	d.rows = make([][]uint64, d.info.Slots)
	return d
}

// Info describes the device.
func (d *Device) Info() *device.Info { return &d.info }

// Worked is what the last call cost.
func (d *Device) Worked() time.Duration { return d.worked }

// Close ends the device.
func (d *Device) Close() error {
	d.books.Close()
	return nil
}

// Lose loses the device: every call fails until Restart.
func (d *Device) Lose() { d.lost = true }

// Restart brings a lost device back with all slots free.
func (d *Device) Restart(context.Context) error {
	d.lost = false
	d.books.Clear()
	return nil
}

func (d *Device) call(name string) error {
	if d.options.OnCall != nil && !d.lost {
		if err := d.options.OnCall(name); err != nil {
			d.lost = d.lost || errors.Is(err, device.ErrLost)
			return err
		}
	}
	if d.lost {
		return device.ErrLost
	}
	return nil
}

// work takes the time that a piece of work costs.
func (d *Device) work(w Work) {
	if d.options.Cost == nil {
		return
	}
	took := d.options.Cost(w)
	time.Sleep(took)
	d.worked += took
}

// Begin takes a slot.
func (d *Device) Begin(slot int, o device.BeginOptions) (int, error) {
	d.worked = 0
	tokens, parts, err := d.books.Begin(slot, o)
	if err != nil {
		return 0, err
	}
	if err := d.call("begin"); err != nil {
		return 0, err
	}
	rows := d.rows[slot][:0]
	if o.State != nil {
		if len(parts) != 1 || len(parts[0]) < 8*len(tokens) {
			return 0, device.ErrState
		}
		for i := range tokens {
			rows = append(rows, binary.LittleEndian.Uint64(parts[0][8*i:]))
		}
	}
	d.rows[slot] = rows
	d.work(Work{Call: "begin", Slot: slot, Rows: len(tokens)})
	d.books.Begun(slot, tokens, o)
	return len(tokens), nil
}

// Piece feeds prompt rows.
func (d *Device) Piece(ctx context.Context, slot, from int, tokens []device.Token) (int, error) {
	d.worked = 0
	s, err := d.books.Piece(slot, from, tokens)
	if err != nil {
		return 0, err
	}
	if err := d.call("piece"); err != nil {
		return 0, err
	}
	return d.feed(ctx, slot, s, tokens, false)
}

func (d *Device) feed(ctx context.Context, slot int, s *ledger.Slot, tokens []device.Token, last bool) (int, error) {
	done := 0
	for done < len(tokens) {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		n := min(len(tokens)-done, d.info.Shapes.ChunkRows)
		if d.options.OnChunk != nil {
			d.options.OnChunk(slot, n)
		}
		d.work(Work{Call: "chunk", Slot: slot, From: s.Rows, Rows: n, Last: last && done+n == len(tokens)})
		for _, t := range tokens[done : done+n] {
			d.row(slot, t)
		}
		s.Fed(tokens[done : done+n])
		done += n
	}
	return done, nil
}

// Finish feeds the last prompt rows and draws the first token.
func (d *Device) Finish(ctx context.Context, slot, from int, tokens []device.Token, o device.FinishOptions) (device.Token, int, error) {
	d.worked = 0
	s, err := d.books.Finish(slot, from, tokens, o)
	if err != nil {
		return device.NoToken, 0, err
	}
	if err := d.call("finish"); err != nil {
		return device.NoToken, 0, err
	}
	done, err := d.feed(ctx, slot, s, tokens, true)
	if err != nil {
		return device.NoToken, done, err
	}
	first := o.Known
	if !o.Resumed {
		first = d.draw(d.rows[slot], o.Sampling)
	}
	s.Finished(first, o)
	return first, done, nil
}

// Verify runs a launch.
func (d *Device) Verify(windows []device.Window, verdicts []device.Verdict) ([]device.Verdict, error) {
	d.worked = 0
	if err := d.books.Verify(windows); err != nil {
		return verdicts, err
	}
	if err := d.call("verify"); err != nil {
		return verdicts, err
	}
	d.work(Work{Call: "verify", Windows: windows})
	d.drawn = d.drawn[:0]
	for _, w := range windows {
		d.drawn = append(d.drawn, make([]device.Token, 1+len(w.Drafts))...)
	}
	room := d.drawn
	for i := range windows {
		w := &windows[i]
		s := d.books.Slot(w.Slot)
		tokens := room[:0]
		// All rows are fed, also those of padding, and then cut, as a real
		// device does.
		start := len(d.rows[w.Slot])
		d.row(w.Slot, s.Pending())
		for _, t := range w.Drafts {
			d.row(w.Slot, t)
		}
		for range d.info.Shapes.Padded(w.Rows()) - 1 - len(w.Drafts) {
			d.row(w.Slot, 0)
		}
		for k := 0; ; k++ {
			t := d.draw(d.rows[w.Slot][:start+1+k], s.Sampling)
			tokens = append(tokens, t)
			if k == len(w.Drafts) || w.Drafts[k] != t {
				break
			}
		}
		d.rows[w.Slot] = d.rows[w.Slot][:start+len(tokens)]
		room = room[1+len(w.Drafts):]
		s.Verified(tokens)
		verdicts = append(verdicts, device.Verdict{Kept: len(tokens) - 1, Tokens: tokens})
	}
	return verdicts, nil
}

// Release frees slots.
func (d *Device) Release(slots ...int) error {
	d.worked = 0
	if err := d.books.Release(slots); err != nil {
		return err
	}
	for _, i := range slots {
		d.rows[i] = d.rows[i][:0]
	}
	if d.lost {
		return device.ErrLost
	}
	return nil
}

// Save gives a slot's state.
func (d *Device) Save(slot int) ([]byte, error) {
	d.worked = 0
	s, err := d.books.Save(slot)
	if err != nil {
		return nil, err
	}
	if err := d.call("save"); err != nil {
		return nil, err
	}
	d.work(Work{Call: "save", Slot: slot, Rows: s.Rows})
	var part []byte
	for _, h := range d.rows[slot] {
		part = binary.LittleEndian.AppendUint64(part, h)
	}
	return ledger.Seal(d.info.StateKey, s.Tokens[:s.Rows], part), nil
}
