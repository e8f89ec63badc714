package core

import (
	"fmt"
	"slices"
)

// twin follows a scheduler from outside. It knows each request's state from
// the inputs and outcomes alone, and says what must come next.
type twin struct {
	cfg      Config
	ledger   ledger
	waiting  [2][]*twinRequest // foreground, background
	admitted []*twinRequest    // in admission order
	slots    []*twinRequest
	dirty    map[int]bool // slots that were touched and freed, and not yet released
	cancels  []*twinRequest
	rounds   int64
	asked    []*twinRequest // of the round whose pass is done
	open     bool           // such a round waits for its verification
	drafted  bool           // and its pass went well
	early    []*twinRequest // whose drafts the pass launched early holds
	want     []string       // events to come
	now      Micros
}

type twinRequest struct {
	Request
	slot          int
	touched       bool
	begun         bool
	came, got     Micros // when it was submitted, and had its slot
	restored      int
	need, filled  int
	decoding      bool
	over          bool
	emitted       int
	losses        int
	passed        int // steps that went to another since its own
	stepped       bool
	held, plain   int
	unread        bool // the drafts of its last pass were all kept
	served        int64
	cancelPending bool
}

func newTwin(cfg Config) *twin {
	return &twin{cfg: cfg, ledger: newLedger(cfg), slots: make([]*twinRequest, cfg.Lanes), dirty: map[int]bool{}}
}

func (w *twin) find(id ID) *twinRequest {
	for _, list := range [][]*twinRequest{w.waiting[0], w.waiting[1], w.admitted} {
		for _, r := range list {
			if r.ID == id {
				return r
			}
		}
	}
	return nil
}

func (w *twin) submit(r Request) {
	c := 0
	if r.Background {
		c = 1
	}
	w.waiting[c] = append(w.waiting[c], &twinRequest{Request: r, slot: -1, came: w.now, need: r.Prompt, served: -1})
}

func (w *twin) cancel(id ID, outstanding bool) (known bool) {
	r := w.find(id)
	switch {
	case r == nil:
		return false
	case r.slot >= 0 && outstanding:
		if !r.cancelPending {
			r.cancelPending = true
			w.cancels = append(w.cancels, r)
		}
	default:
		w.end(r, EventCancelled, "cancelled")
		w.settle()
	}
	return true
}

func (w *twin) end(r *twinRequest, kind EventKind, why string) {
	w.want = append(w.want, fmt.Sprint(kind, r.ID, r.slot, r.emitted, why))
	r.over = true
	drop := func(list []*twinRequest) []*twinRequest {
		return slices.DeleteFunc(list, func(o *twinRequest) bool { return o == r })
	}
	w.waiting[0], w.waiting[1], w.admitted = drop(w.waiting[0]), drop(w.waiting[1]), drop(w.admitted)
	if r.slot >= 0 {
		w.slots[r.slot] = nil
		if r.touched {
			w.dirty[r.slot] = true
		}
	}
}

// admit is what an admission event says.
func (w *twin) admit(id ID, slot int) error {
	r := w.ready()
	if r == nil || r.ID != id {
		return fmt.Errorf("request %d is admitted out of order", id)
	}
	if w.slots[slot] != nil {
		return fmt.Errorf("slot %d is given twice", slot)
	}
	for c, list := range w.waiting {
		w.waiting[c] = slices.DeleteFunc(list, func(o *twinRequest) bool { return o == r })
	}
	r.slot, r.got = slot, w.now
	w.slots[slot] = r
	w.admitted = append(w.admitted, r)
	return nil
}

// ready is the first of those that wait whom no other's prompt holds back.
func (w *twin) ready() *twinRequest {
	for _, list := range w.waiting {
		for _, r := range list {
			if !slices.ContainsFunc(w.admitted, func(o *twinRequest) bool { return w.holds(o, r) }) {
				return r
			}
		}
	}
	return nil
}

// holds says that r is to wait for the prompt of o.
func (w *twin) holds(o, r *twinRequest) bool {
	news := !o.decoding && o.emitted == 0 && o.restored < r.PrefixRows
	return w.cfg.PrefixWait > 0 && r.Prefix != 0 && o.Prefix == r.Prefix && news && w.now < max(r.came, o.got)+w.cfg.PrefixWait
}

func (w *twin) count() (waiting, filling, decoding int) {
	for _, r := range w.admitted {
		if r.decoding {
			decoding++
		}
	}
	return len(w.waiting[0]) + len(w.waiting[1]), len(w.admitted) - decoding, decoding
}

func (w *twin) settle() {
	_, filling, decoding := w.count()
	w.ledger.settle(filling, decoding)
}
