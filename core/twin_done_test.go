package core

import "fmt"

// done applies an outcome and lists the events that must come of it.
func (w *twin) done(a *Action, o *Outcome) {
	for _, r := range w.cancels {
		w.end(r, EventCancelled, "cancelled")
	}
	w.cancels = w.cancels[:0]
	switch a.Kind {
	case Begin:
		if r := w.in(a.Slot, a.ID); r != nil && o.Status == OK {
			r.filled = min(o.Rows, r.need-1)
			r.restored = r.filled
		}
	case Step:
		w.doneStep(a, o)
	case Pass:
		w.ledger.pass(o.Wall)
		w.open, w.drafted = true, o.Status == OK
		for _, k := range a.Asks {
			if r := w.in(k.Slot, k.ID); r != nil && o.Status == OK {
				r.held, r.plain, r.unread = k.Depth, 0, false
			}
		}
	case Round:
		w.doneRound(a, o)
	}
	w.settle()
}

func (w *twin) in(slot int, id ID) *twinRequest {
	if r := w.slots[slot]; r != nil && r.ID == id {
		return r
	}
	return nil
}

func (w *twin) doneStep(a *Action, o *Outcome) {
	w.ledger.step(o.Wall, a.Rows, a.Beside)
	for _, r := range w.admitted {
		if !r.decoding {
			r.passed++
		}
	}
	r := w.in(a.Slot, a.ID)
	if r == nil {
		return
	}
	r.passed, r.stepped = 0, true
	switch o.Status {
	case Failed:
		w.end(r, EventFailed, "failed")
		return
	case Lost:
		w.lost(r)
		return
	}
	r.filled += o.Rows
	if r.filled < r.need {
		return
	}
	r.decoding = true
	if r.emitted == 0 {
		w.tokens(r, 1, o.End)
	}
}

func (w *twin) lost(r *twinRequest) {
	r.losses++
	if r.losses == 3 {
		w.end(r, EventFailed, "lost")
		return
	}
	r.decoding = false
	r.filled, r.held, r.plain, r.passed = 0, 0, 0, 0
	r.unread = false
	r.need = r.Prompt
	if r.emitted > 0 {
		r.need += r.emitted - 1
	}
	w.want = append(w.want, fmt.Sprint(EventLost, r.ID, r.slot, r.emitted, "lost"))
}

func (w *twin) tokens(r *twinRequest, n int, end bool) {
	r.emitted += n
	w.want = append(w.want, fmt.Sprint(EventTokens, r.ID, r.slot, r.emitted, n))
	switch {
	case end:
		w.end(r, EventFinished, "end")
	case r.emitted == r.Output:
		w.end(r, EventFinished, "length")
	}
}

func (w *twin) doneRound(a *Action, o *Outcome) {
	w.ledger.round(o.Wall)
	w.rounds++
	drafted := w.drafted
	w.open, w.drafted = false, false
	w.early = nil
	fits := a.LaunchEarly && o.Status == OK && o.EarlyHit
	for k, v := range a.Windows {
		r := w.in(v.Slot, v.ID)
		if fits && v.Drafts > 0 {
			w.early = append(w.early, r) // nil for one that is gone: fits no asks
		}
		if r == nil {
			continue
		}
		if !drafted || r.held == 0 {
			if r.plain++; w.cfg.MostBehind > 0 {
				r.plain = min(r.plain, w.cfg.MostBehind)
			}
		}
		held := r.held
		r.served, r.held = w.rounds, 0
		status := o.Status
		if status == OK {
			status = o.Slots[k].Status
		}
		switch status {
		case Failed:
			w.end(r, EventFailed, "failed")
		case Lost:
			if fits && v.Drafts > 0 {
				w.early[len(w.early)-1] = nil
			}
			w.lost(r)
		default:
			r.losses = 0
			if drafted && held > 0 && o.Slots[k].Kept == held {
				r.unread = true
			}
			w.tokens(r, o.Slots[k].Emitted, o.Slots[k].End)
		}
	}
}
