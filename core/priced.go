package core

// The priced rules are the two published attempts to choose asks before the
// pass (pull request 2986; neither was adopted). They price by the belief
// alone. docs/draft-pricing.md tells what they miss.

// probePasses is how many passes' worth of modelled time rounds with a plain
// stream may take before every stale stream asks: probing stays under 1%.
const probePasses = 100

// beatPlain is by how much a shared round of the second version must beat the
// plain rate.
const beatPlain = 1.1

// blended is how many passes a blended prediction remembers, our choice: the
// sources say "its last passes".
const blended = 4

// blend is what the priced rules keep for the engine.
type blend struct {
	idle Nanos // modelled time of rounds with a plain stream since a probe
}

// foresee is the chance of draft j of a stream before its pass: the mean of
// the confidences that its last passes reported, calibrated.
func (s *Scheduler) foresee(st *stream, j int) float64 {
	return s.calib.chance(j, st.worth.scores[min(j, maxDepth-1)])
}

// everySet is up to how many asks version 1 tries each set of them; of more,
// it takes the largest gains over all.
const everySet = 4

// plan is a choice before the pass: the first so many gains of a set of asks,
// by their numbers. Asks beyond the 64th are in every set.
type plan struct {
	set    uint64
	drafts int
	rate   float64
}

func (p *plan) holds(g *gain) bool { return g.window >= 64 || p.set>>g.window&1 == 1 }

// pricedAsks is version 1: the set of asks and depths with the most expected
// tokens a millisecond, no asks included. A fresh stream always asks.
func (s *Scheduler) pricedAsks() {
	if s.probeAll() {
		return
	}
	asks := s.action.Asks
	forced, late := s.foreseeGains()
	windows := len(s.round.streams)
	price := millis(s.cfg.Prices.Round(Shape{windows, windows}) + s.passPrice(forced, late))
	best := plan{rate: float64(windows) / price}
	s.tryPlans(^uint64(0), forced, late, &best)
	if len(asks) <= everySet {
		for set := uint64(1); set < 1<<len(asks)-1; set++ {
			s.tryPlans(set, forced, late, &best)
		}
	}
	s.clearDepths()
	for k := range s.joint.gains {
		if g := &s.joint.gains[k]; best.drafts > 0 && best.holds(g) {
			s.joint.low[g.window]++
			best.drafts--
		}
	}
	s.keepAsks(func(k int, st *stream) bool { return s.joint.low[k] > 0 || st.worth.passes == 0 })
}

// foreseeGains lists the gains that asks promise, greatest first, and counts
// the asks of fresh streams, which promise nothing, and the late ones of them.
func (s *Scheduler) foreseeGains() (forced, late int) {
	s.joint.gains = s.joint.gains[:0]
	for k, a := range s.action.Asks {
		st := &s.streams[s.slots[a.Slot]]
		if st.worth.passes == 0 {
			forced++
			if a.CatchUp > 0 {
				late++
			}
			continue
		}
		chain := 1.0
		for d := range a.Depth {
			chain = float64(chain * s.foresee(st, d))
			s.joint.gains = append(s.joint.gains, gain{chain, int32(k), int32(len(s.joint.gains))})
		}
	}
	sortGains(s.joint.gains)
	return forced, late
}

// clearDepths sets each ask's depth to none.
func (s *Scheduler) clearDepths() {
	s.joint.low = s.joint.low[:0]
	for range s.action.Asks {
		s.joint.low = append(s.joint.low, 0)
	}
}

// tryPlans prices the largest gains of a set of asks, one more at a time.
func (s *Scheduler) tryPlans(set uint64, asked, late int, best *plan) {
	p := plan{set: set}
	windows := len(s.round.streams)
	sum := float64(windows)
	s.clearDepths()
	for k := range s.joint.gains {
		g := &s.joint.gains[k]
		if windows+p.drafts >= s.rowsMost() {
			return
		}
		if !p.holds(g) {
			continue
		}
		p.drafts++
		sum += g.value
		if s.joint.low[g.window]++; s.joint.low[g.window] == 1 {
			asked++
			if s.action.Asks[g.window].CatchUp > 0 {
				late++
			}
		}
		price := millis(s.cfg.Prices.Round(Shape{windows, windows + p.drafts}) + s.passPrice(asked, late))
		if p.rate = sum / price; p.rate > best.rate+tie {
			*best = p
		}
	}
}

// worthyAsks is version 2: asks by what recent passes were worth at the going
// rate, the pass paid. A lone stream always asks; a shared round must beat the
// plain rate by a tenth.
func (s *Scheduler) worthyAsks() {
	windows := len(s.round.streams)
	if windows == 1 || s.probeAll() {
		return
	}
	lambda := float64(windows) / millis(s.cfg.Prices.Round(Shape{windows, windows}))
	if going, ok := s.rates[windows].perMilli(); ok {
		lambda = max(lambda, going)
	}
	s.keepAsks(func(_ int, st *stream) bool { return st.worth.passes == 0 || st.worth.net(lambda) > 0 })
	asks := len(s.action.Asks)
	if asks == 0 {
		return
	}
	tokens, rows := float64(windows), 0.0
	for _, a := range s.action.Asks {
		st := &s.streams[s.slots[a.Slot]]
		if st.worth.passes == 0 {
			return // fresh: it has to be seen
		}
		tokens += st.worth.tokens
		rows += st.worth.millis
	}
	plain := millis(s.cfg.Prices.Round(Shape{windows, windows}))
	rate := tokens / (plain + rows + millis(s.passPrice(asks, AskedBy(s.action.Asks).CatchUps)))
	if rate < float64(beatPlain*(float64(windows)/plain)) {
		s.action.Asks = s.action.Asks[:0]
	}
}

// probeAll says that probing is due: every stale stream asks, in one pass.
func (s *Scheduler) probeAll() bool {
	if s.passes.idle < probePasses*s.passPrice(len(s.action.Asks), AskedBy(s.action.Asks).CatchUps) {
		return false
	}
	s.passes.idle = 0
	return true
}

// keepAsks keeps the asks that a function wants.
func (s *Scheduler) keepAsks(want func(k int, st *stream) bool) {
	kept := s.action.Asks[:0]
	for k, a := range s.action.Asks {
		if want(k, &s.streams[s.slots[a.Slot]]) {
			kept = append(kept, a)
		}
	}
	s.action.Asks = kept
}

// pricedDepths is the priced rules' choice after the pass, which is paid: the
// depths with the most expected tokens a millisecond.
func (s *Scheduler) pricedDepths() {
	windows := s.action.Windows
	s.joint.gains = s.joint.gains[:0]
	asked := 0
	for k := range windows {
		st := &s.streams[s.slots[windows[k].Slot]]
		if st.held > 0 {
			asked++
		}
		chain := 1.0
		for d := range st.held {
			chain = float64(chain * s.calib.chance(d, st.score[d]))
			s.joint.gains = append(s.joint.gains, gain{chain, int32(k), int32(len(s.joint.gains))})
		}
	}
	sortGains(s.joint.gains)
	paid := s.passPrice(asked, 0)
	best, bestRate, sum := 0, 0.0, float64(len(windows))
	for m := 0; m <= min(len(s.joint.gains), max(s.rowsMost()-len(windows), 0)); m++ {
		if m > 0 {
			sum += s.joint.gains[m-1].value
		}
		if value := sum / millis(s.cfg.Prices.Round(Shape{len(windows), len(windows) + m})+paid); m == 0 || value > bestRate+tie {
			best, bestRate = m, value
		}
	}
	for _, g := range s.joint.gains[:best] {
		windows[g.window].Drafts++
	}
}

// learnPriced keeps what passes reported and were worth.
func (s *Scheduler) learnPriced(o *Outcome) {
	windows := s.action.Windows
	drafts, rows, plain := 0, 0, false
	for k := range windows {
		drafts += windows[k].Drafts
		rows += windows[k].Rows()
		plain = plain || windows[k].Held == 0
	}
	if plain {
		s.passes.idle += s.roundNanos(len(windows), rows, drafts > 0)
	}
	extra := millis(s.cfg.Prices.Round(Shape{len(windows), rows}) - s.cfg.Prices.Round(Shape{len(windows), len(windows)}))
	for k := range windows {
		w := &windows[k]
		i, ok := s.at(w.Slot, w.ID)
		if !ok || o.Slots[k].Status != OK || w.Held == 0 {
			continue
		}
		st := &s.streams[i]
		expected, chain := 0.0, 1.0
		for d := range w.Drafts {
			chain = float64(chain * s.calib.chance(d, st.score[d]))
			expected += chain
		}
		cost := 0.0
		if drafts > 0 {
			cost = extra * float64(w.Drafts) / float64(drafts)
		}
		st.worth.blend(st.score[:w.Held], expected, cost)
	}
}
