package ledger

import (
	"fmt"

	"github.com/tfsim/tfsim/device"
)

// Begin checks a Begin of a slot, and gives the state's tokens and parts that
// are to be restored. The device then calls Begun.
func (l *Ledger) Begin(slot int, o device.BeginOptions) (tokens []device.Token, parts [][]byte, err error) {
	if _, err := l.find(slot, Free); err != nil {
		return nil, nil, err
	}
	if o.State == nil {
		if o.Rows != 0 {
			return nil, nil, fmt.Errorf("%w: %d of no state", device.ErrRows, o.Rows)
		}
		return nil, nil, nil
	}
	tokens, parts, err = Open(l.info.StateKey, o.State)
	if err != nil {
		return nil, nil, err
	}
	if o.Rows < 0 || o.Rows > len(tokens) {
		return nil, nil, fmt.Errorf("%w: %d of a state of %d", device.ErrRows, o.Rows, len(tokens))
	}
	if o.Rows > 0 {
		tokens = tokens[:o.Rows]
	}
	if len(tokens) > l.info.Context {
		return nil, nil, fmt.Errorf("%w: state of %d rows, context %d", device.ErrFull, len(tokens), l.info.Context)
	}
	return tokens, parts, l.tokens(tokens)
}

// Begun enters a slot that starts with the rows of tokens.
func (l *Ledger) Begun(slot int, tokens []device.Token, o device.BeginOptions) {
	s := &l.slots[slot]
	s.Phase, s.NoDraft = Filling, o.NoDraft
	s.Tokens = append(s.Tokens[:0], tokens...)
	s.Rows = len(tokens)
}

// Piece checks the rows of a Piece or Finish.
func (l *Ledger) Piece(slot, from int, tokens []device.Token) (*Slot, error) {
	s, err := l.find(slot, Filling)
	switch {
	case err != nil:
		return nil, err
	case from != s.Rows:
		return nil, fmt.Errorf("%w: slot %d holds %d, rows start at %d", device.ErrPosition, slot, s.Rows, from)
	case len(tokens) == 0:
		return nil, fmt.Errorf("%w: none for slot %d", device.ErrRows, slot)
	case len(tokens) > l.info.Context-s.Rows:
		return nil, fmt.Errorf("%w: %d rows and %d more, context %d", device.ErrFull, s.Rows, len(tokens), l.info.Context)
	}
	return s, l.tokens(tokens)
}

// Finish checks the rows and options of a Finish.
func (l *Ledger) Finish(slot, from int, tokens []device.Token, o device.FinishOptions) (*Slot, error) {
	s, err := l.Piece(slot, from, tokens)
	if err != nil {
		return nil, err
	}
	if o.Resumed {
		if err := l.tokens([]device.Token{o.Known}); err != nil {
			return nil, err
		}
	}
	return s, o.Sampling.Check()
}

// Fed enters prompt rows.
func (s *Slot) Fed(tokens []device.Token) {
	s.Tokens = append(s.Tokens, tokens...)
	s.Rows += len(tokens)
}

// Finished enters the first token.
func (s *Slot) Finished(first device.Token, o device.FinishOptions) {
	s.Phase, s.Sampling = Decoding, o.Sampling
	s.Tokens = append(s.Tokens, first)
}

// Save checks a Save.
func (l *Ledger) Save(slot int) (*Slot, error) {
	if err := l.open(); err != nil {
		return nil, err
	}
	if slot < 0 || slot >= len(l.slots) {
		return nil, fmt.Errorf("%w: %d of %d", device.ErrSlot, slot, len(l.slots))
	}
	s := &l.slots[slot]
	switch {
	case s.Phase == Free:
		return nil, fmt.Errorf("%w: slot %d is free", device.ErrPhase, slot)
	case s.Rows == 0:
		return nil, fmt.Errorf("%w: slot %d holds none", device.ErrRows, slot)
	}
	return s, nil
}
