package ledger

import (
	"fmt"

	"github.com/tfsim/tfsim/device"
)

// Pass checks the asks of a Pass.
func (l *Ledger) Pass(asks []device.Ask) error {
	if err := l.open(); err != nil {
		return err
	}
	if len(asks) == 0 {
		return fmt.Errorf("%w: a pass of no asks", device.ErrRows)
	}
	l.list()
	for _, a := range asks {
		s, err := l.find(a.Slot, Decoding)
		if err != nil {
			return err
		}
		if err := l.once(a.Slot); err != nil {
			return err
		}
		if s.NoDraft {
			return fmt.Errorf("%w: slot %d was begun without drafts", device.ErrPhase, a.Slot)
		}
		if a.Depth < 1 || a.Depth > l.info.DraftDepth {
			return fmt.Errorf("%w: %d drafts of slot %d, at most %d", device.ErrRows, a.Depth, a.Slot, l.info.DraftDepth)
		}
	}
	return nil
}

// Verify checks the windows of a Verify.
func (l *Ledger) Verify(windows []device.Window) error {
	if err := l.open(); err != nil {
		return err
	}
	if len(windows) == 0 {
		return fmt.Errorf("%w: a launch of no windows", device.ErrRows)
	}
	l.list()
	rows, most := 0, l.info.Shapes.LaunchRows
	for i := range windows {
		w := &windows[i]
		s, err := l.find(w.Slot, Decoding)
		if err != nil {
			return err
		}
		if err := l.once(w.Slot); err != nil {
			return err
		}
		if w.Position != s.Rows {
			return fmt.Errorf("%w: slot %d holds %d, window at %d", device.ErrPosition, w.Slot, s.Rows, w.Position)
		}
		if w.Pad < 0 || w.Pad > most {
			return fmt.Errorf("%w: padding of %d", device.ErrRows, w.Pad)
		}
		if rows += w.Rows(); rows > most {
			return fmt.Errorf("%w: a launch of more than %d", device.ErrRows, most)
		}
		if s.Rows+1+len(w.Drafts) > l.info.Context {
			return fmt.Errorf("%w: slot %d holds %d rows and gets %d more, context %d",
				device.ErrFull, w.Slot, s.Rows, 1+len(w.Drafts), l.info.Context)
		}
		if err := l.tokens(w.Drafts); err != nil {
			return err
		}
	}
	return nil
}

// Verified enters the tokens drawn: all of them but the last are rows now,
// after the one that was pending.
func (s *Slot) Verified(tokens []device.Token) {
	s.Tokens = append(s.Tokens, tokens...)
	s.Rows += len(tokens)
}

// Release checks a list of slots and frees them.
func (l *Ledger) Release(slots []int) error {
	if err := l.open(); err != nil {
		return err
	}
	l.list()
	for _, i := range slots {
		if i < 0 || i >= len(l.slots) {
			return fmt.Errorf("%w: %d of %d", device.ErrSlot, i, len(l.slots))
		}
		if err := l.once(i); err != nil {
			return err
		}
		if l.slots[i].Phase == Free {
			return fmt.Errorf("%w: slot %d is free", device.ErrPhase, i)
		}
	}
	for _, i := range slots {
		l.free(i)
	}
	return nil
}
