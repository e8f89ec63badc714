package ledger

import (
	"fmt"

	"github.com/tfsim/tfsim/device"
)

// Phase is where a slot is in its life.
type Phase uint8

// The phases.
const (
	Free Phase = iota
	Filling
	Decoding
)

var phaseNames = [...]string{"free", "filling", "decoding"}

func (p Phase) String() string { return phaseNames[p] }

// Slot is what a slot holds.
type Slot struct {
	Phase Phase
	// Tokens is the text: one token for each row, and the pending one while
	// decoding.
	Tokens   []device.Token
	Rows     int
	Sampling device.Sampling
	NoDraft  bool
}

// Pending is the token that is drawn and not yet a row.
func (s *Slot) Pending() device.Token { return s.Tokens[s.Rows] }

// Ledger is the books of a device.
type Ledger struct {
	info   *device.Info
	slots  []Slot
	named  []int // scratch: the call that named a slot last
	calls  int
	closed bool
}

// New opens the books of a device with all slots free.
func New(info *device.Info) *Ledger {
	return &Ledger{info: info, slots: make([]Slot, info.Slots), named: make([]int, info.Slots)}
}

// Slot gives a slot that a check has found good.
func (l *Ledger) Slot(i int) *Slot { return &l.slots[i] }

// Clear frees all slots.
func (l *Ledger) Clear() {
	for i := range l.slots {
		l.free(i)
	}
}

// Close makes every later check fail.
func (l *Ledger) Close() { l.closed = true }

func (l *Ledger) free(i int) {
	l.slots[i] = Slot{Tokens: l.slots[i].Tokens[:0]}
}

func (l *Ledger) open() error {
	if l.closed {
		return device.ErrClosed
	}
	return nil
}

func (l *Ledger) find(slot int, want Phase) (*Slot, error) {
	if l.closed {
		return nil, device.ErrClosed
	}
	if slot < 0 || slot >= len(l.slots) {
		return nil, fmt.Errorf("%w: %d of %d", device.ErrSlot, slot, len(l.slots))
	}
	s := &l.slots[slot]
	if s.Phase != want {
		return nil, fmt.Errorf("%w: slot %d is %s, want %s", device.ErrPhase, slot, s.Phase, want)
	}
	return s, nil
}

// once refuses a slot that a list names twice. A list starts with a call of
// list.
func (l *Ledger) once(slot int) error {
	if l.named[slot] == l.calls {
		return fmt.Errorf("%w: slot %d is named twice", device.ErrSlot, slot)
	}
	l.named[slot] = l.calls
	return nil
}

func (l *Ledger) list() { l.calls++ }

func (l *Ledger) tokens(tokens []device.Token) error {
	for _, t := range tokens {
		if t < 0 || int(t) >= l.info.Vocabulary {
			return fmt.Errorf("%w: %d of %d", device.ErrToken, t, l.info.Vocabulary)
		}
	}
	return nil
}
