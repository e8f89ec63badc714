package core

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// next checks an action against what must come next.
func (w *twin) next(a *Action) error {
	if w.open {
		w.asked = slices.DeleteFunc(w.asked, func(r *twinRequest) bool { return r.over })
		if len(w.asked) > 0 {
			return w.nextRound(a)
		}
		w.open, w.drafted = false, false
	}
	waiting, filling, decoding := w.count()
	free := len(w.admitted) < w.cfg.Lanes
	allowed := w.ledger.allows(decoding)
	r := w.in(max(a.Slot, 0), a.ID)
	switch {
	case a.Kind == Wait && (filling > 0 || decoding > 0 || waiting > 0):
		return fmt.Errorf("waits with %d waiting, %d filling, %d decoding", waiting, filling, decoding)
	case a.Kind == Wait:
		if a.Release != nil {
			return fmt.Errorf("a wait releases %v", a.Release)
		}
		return nil
	case a.Kind == Begin:
		return w.nextBegin(a, r)
	case w.ready() != nil && free && (w.cfg.Steps || allowed && filling == 0):
		return fmt.Errorf("a %s although a lane is free and %d wait", a.Kind, waiting)
	case a.Kind == Step && !allowed:
		return fmt.Errorf("step while %d µs are owed, %d rounds since", w.ledger.debt, w.ledger.since)
	case a.Kind == Step:
		return w.nextStep(a, r)
	case filling > 0 && allowed:
		return fmt.Errorf("%s although a step may run", a.Kind)
	}
	w.choose()
	if a.Kind == Pass {
		return w.nextPass(a)
	}
	if asks := w.asks(); len(asks) > 0 && w.asksAll() {
		return fmt.Errorf("round without a pass for %d asks", len(asks))
	}
	return w.nextRound(a)
}

func (w *twin) nextBegin(a *Action, r *twinRequest) error {
	switch {
	case r == nil || r.Prefix == 0 || r.begun || r.filled > 0 || r != w.admitted[len(w.admitted)-1]:
		return fmt.Errorf("begin of %d in slot %d", a.ID, a.Slot)
	case !a.First || a.Rows != r.Prompt:
		return fmt.Errorf("begin: first %v, %d rows", a.First, a.Rows)
	}
	r.begun, r.touched = true, true
	return nil
}

func (w *twin) nextStep(a *Action, r *twinRequest) error {
	_, _, decoding := w.count()
	if r == nil || r.decoding || r.Prefix != 0 && !r.begun {
		return fmt.Errorf("step of %d in slot %d", a.ID, a.Slot)
	}
	left := r.need - r.filled
	want := w.ledger.most(left, decoding)
	switch pick := w.pick(); {
	case r != pick:
		return fmt.Errorf("step of %d, but it is the turn of %d", r.ID, pick.ID)
	case a.From != r.filled || a.Rows != want || a.Last != (want == left):
		return fmt.Errorf("step from %d of %d rows, last %v; want from %d of %d", a.From, a.Rows, a.Last, r.filled, want)
	case a.First == r.touched || a.Beside != (decoding > 0):
		return fmt.Errorf("step: first %v, beside %v", a.First, a.Beside)
	}
	r.touched = true
	return nil
}

// pick is the filling prompt whose turn it is.
func (w *twin) pick() *twinRequest {
	var list []*twinRequest
	for _, r := range w.admitted {
		if !r.decoding {
			list = append(list, r)
		}
	}
	if !w.cfg.Steps || w.cfg.Order == OrderFCFS {
		return list[0]
	}
	waited := func(r *twinRequest) int {
		if w.cfg.Order == OrderTurns && !r.stepped && r.passed == 0 {
			return 1 // it came during another's step
		}
		return r.passed
	}
	slices.SortStableFunc(list, func(a, b *twinRequest) int { return cmp.Compare(waited(b), waited(a)) })
	if w.cfg.Order == OrderSRPT && list[0].passed < w.cfg.PassedOver {
		slices.SortStableFunc(list, func(a, b *twinRequest) int {
			return cmp.Or(cmp.Compare(a.need-a.filled, b.need-b.filled), slices.Index(w.admitted, a)-slices.Index(w.admitted, b))
		})
	}
	return list[0]
}

// choose says whose turn the next round is.
func (w *twin) choose() {
	w.asked = w.asked[:0]
	for _, r := range w.admitted {
		if r.decoding {
			w.asked = append(w.asked, r)
		}
	}
	most := len(w.asked)
	if n := w.cfg.RoundStreams; n > 0 {
		most = min(most, n)
	}
	if n := w.cfg.RoundRows; n > 0 {
		most = min(most, n)
	}
	slices.SortStableFunc(w.asked, func(a, b *twinRequest) int { return cmp.Compare(a.served, b.served) })
	w.asked = w.asked[:most]
	slices.SortFunc(w.asked, func(a, b *twinRequest) int {
		return slices.Index(w.admitted, a) - slices.Index(w.admitted, b)
	})
}

// asksAll says that the rule leaves no ask out.
func (w *twin) asksAll() bool { return w.cfg.Rule == RuleEarlier || w.cfg.Rule == RulePlain }

// asks are those of the round's streams that may have drafts.
func (w *twin) asks() []*twinRequest {
	_, _, decoding := w.count()
	plain := w.cfg.Rule == RulePlain || w.cfg.PlainStreams > 0 && decoding >= w.cfg.PlainStreams
	var list []*twinRequest
	for _, r := range w.asked {
		if w.cfg.Drafts && !plain && !r.NoDraft && w.depth(r) > 0 {
			list = append(list, r)
		}
	}
	return list
}

func (w *twin) depth(r *twinRequest) int {
	return min(w.cfg.Block, w.cfg.DraftDepth, w.cfg.LaunchRows-1, 15, r.Output-r.emitted-1)
}

// nextPass checks a pass: its asks are those of streams that may ask, in
// admission order, all of them where the rule leaves none out.
func (w *twin) nextPass(a *Action) error {
	may := w.asks()
	if len(a.Asks) == 0 || w.asksAll() && len(a.Asks) != len(may) {
		return fmt.Errorf("pass of %d asks, want %d", len(a.Asks), len(may))
	}
	// Asks share one depth, which the measured rule chooses where it is in the
	// price of a pass.
	common := math.MaxInt
	if measured := w.cfg.Rule == RuleMeasured || w.cfg.Rule == RuleOracle; measured && w.cfg.Prices.Pass(Asked{Asks: 1, Depth: 15}) > w.cfg.Prices.Pass(Asked{Asks: 1, Depth: 1}) {
		common = AskedBy(a.Asks).Depth
	}
	var asked []*twinRequest
	for _, ask := range a.Asks {
		k := slices.IndexFunc(may, func(r *twinRequest) bool { return r.ID == ask.ID })
		if k < 0 {
			return fmt.Errorf("ask %+v out of order, or of a stream that may not ask", ask)
		}
		r := may[k]
		may = may[k+1:]
		if ask != (Ask{Slot: r.slot, ID: r.ID, Depth: min(w.depth(r), common), CatchUp: r.plain, Unread: r.unread}) || ask.Depth < 1 {
			return fmt.Errorf("ask %+v, want %d drafts, %d rounds caught up, unread %v", ask, w.depth(r), r.plain, r.unread)
		}
		asked = append(asked, r)
	}
	fits := len(w.early) == len(asked) // in any order: windows may be set apart
	for _, r := range asked {
		fits = fits && slices.Contains(w.early, r)
	}
	if a.Early != fits {
		return fmt.Errorf("pass early %v, want %v", a.Early, fits)
	}
	return nil
}
