package core

import (
	"fmt"
	"slices"
)

// nextRound checks a round: its streams are those chosen, its windows within
// every bound, its launches whole.
func (w *twin) nextRound(a *Action) error {
	if a.Kind != Round || len(a.Windows) != len(w.asked) {
		return fmt.Errorf("%s of %d windows, want a round of %d", a.Kind, len(a.Windows), len(w.asked))
	}
	rows, drafts, pads := 0, 0, 0
	for k, r := range w.asked {
		v := a.Windows[k]
		if w.cfg.Packing.Longest {
			at := slices.IndexFunc(a.Windows, func(v Window) bool { return v.ID == r.ID })
			if at < 0 {
				return fmt.Errorf("no window of request %d", r.ID)
			}
			v = a.Windows[at]
		}
		held := 0
		if w.drafted {
			held = r.held
		}
		switch {
		case v.Slot != r.slot || v.ID != r.ID || v.Position != r.Prompt+r.emitted-1:
			return fmt.Errorf("window %+v of request %d", v, r.ID)
		case v.Held != held || v.Drafts > v.Held || v.Drafts > w.cfg.DraftDepth || v.Held > r.Output-r.emitted-1:
			return fmt.Errorf("window %+v: want %d held, room for %d", v, held, r.Output-r.emitted-1)
		case v.Rows() > w.cfg.LaunchRows:
			return fmt.Errorf("window of %d rows, launches of %d", v.Rows(), w.cfg.LaunchRows)
		}
		rows += v.Rows()
		drafts += v.Drafts
		pads += v.Pad
	}
	if pads > 0 && (w.asksAll() || rows > w.cfg.LaunchRows || w.cfg.RoundRows > 0 && rows > w.cfg.RoundRows) {
		return fmt.Errorf("%d pads bring a round to %d rows", pads, rows)
	}
	if drafts > 0 && (rows > w.cfg.DepthRows || w.cfg.RoundRows > 0 && rows > w.cfg.RoundRows) {
		return fmt.Errorf("%d drafts bring a round to %d rows", drafts, rows)
	}
	if a.LaunchEarly && (!w.cfg.LaunchEarly || drafts == 0) {
		return fmt.Errorf("an early pass is launched for %d drafts", drafts)
	}
	return w.launches(a)
}

// launches checks that launches hold all windows, in order, none empty, none
// over the most rows, and that no window would have fitted the one before.
func (w *twin) launches(a *Action) error {
	at, last := 0, 0
	for _, n := range a.Launches {
		rows := 0
		for range n {
			if at == len(a.Windows) {
				return fmt.Errorf("launches %v of %d windows", a.Launches, at)
			}
			rows += a.Windows[at].Rows()
			at++
		}
		first := a.Windows[at-n].Rows()
		if n == 0 || rows > w.cfg.LaunchRows || last > 0 && last+first <= w.cfg.LaunchRows && !w.cfg.Packing.Longest {
			return fmt.Errorf("launches %v of at most %d rows: %d after %d", a.Launches, w.cfg.LaunchRows, rows, last)
		}
		last = rows
	}
	if at != len(a.Windows) {
		return fmt.Errorf("launches %v of %d windows", a.Launches, len(a.Windows))
	}
	return nil
}
