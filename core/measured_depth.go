package core

// measuredDepths shares rows among the windows: the largest gains, as many as
// are worth the most at the going rate, none included.
func (s *Scheduler) measuredDepths() {
	windows := s.action.Windows
	s.joint.gains = s.joint.gains[:0]
	for k := range windows {
		st := &s.streams[s.slots[windows[k].Slot]]
		chain := 1.0
		for d := range st.held {
			chain = float64(chain * s.chance(st, d))
			s.joint.gains = append(s.joint.gains, gain{float64(chain * (1 + st.claim)), int32(k), int32(len(s.joint.gains))})
		}
	}
	sortGains(s.joint.gains)
	n := len(windows)
	going := s.going(n)
	lambda := going + s.meas.claims
	none := s.roundMillis(Shape{n, n})
	best, bestValue, sum, extra := 0, 0.0, 0.0, 0.0
	l := &s.joint.layout
	l.start(n)
	most := min(len(s.joint.gains), max(s.rowsMost()-n, 0))
	for m := 1; m <= most; m++ {
		g := s.joint.gains[m-1]
		sum += g.value
		windows[g.window].Drafts++
		l.widen(windows[g.window].Drafts)
		more := s.layoutMillis(l) - none
		if value := sum - float64(lambda*more); value > bestValue+tie {
			best, bestValue, extra = m, value, more
		}
	}
	for _, g := range s.joint.gains[best:most] {
		windows[g.window].Drafts--
	}
	s.pad()
	s.valuePass(best, float64(going*extra))
	s.valueTogether(best, float64(going*extra))
}

// pad widens the windows to the cheapest shape that holds them.
func (s *Scheduler) pad() {
	windows := s.action.Windows
	if p := s.cfg.Packing; p != (Packing{}) {
		s.layOut()
		l := &s.joint.layout
		if !l.even(p) && s.mayEqual(l) && s.shapeMillis(l.equal(p)) <= s.splitMillis(l) {
			for k := range windows {
				windows[k].Pad = l.most - windows[k].Rows()
			}
		}
		return
	}
	shape := Shape{Windows: len(windows)}
	for k := range windows {
		shape.Rows += windows[k].Rows()
	}
	more := s.padded(shape).Rows - shape.Rows
	for k := 0; more > 0; k = (k + 1) % len(windows) {
		windows[k].Pad++
		more--
	}
}

// valuePass keeps, for each stream that asked, what its pass was worth; paid is
// what the drafts' rows cost, in tokens.
func (s *Scheduler) valuePass(drafts int, paid float64) {
	windows := s.action.Windows
	row := 0.0
	if drafts > 0 {
		row = paid / float64(drafts)
	}
	for k := range windows {
		w := &windows[k]
		if w.Held == 0 {
			continue
		}
		st := &s.streams[s.slots[w.Slot]]
		tokens := 0.0
		for _, g := range s.joint.gains[:drafts] {
			if int(g.window) == k {
				tokens += g.value
			}
		}
		tokens /= 1 + st.claim
		s.worthNoted(st, tokens-float64(row*float64(w.Drafts)), tokens)
		chain := 1.0
		for d := range st.held {
			chain = float64(chain * s.chance(st, d))
			s.joint.chains[d] = chain
		}
		if s.meas.stepwise {
			st.worth.foreseeDeep(s.joint.chains[:st.held])
		} else {
			st.worth.foresee(s.joint.chains[:st.held])
		}
	}
}

func (s *Scheduler) worthNoted(st *stream, value, tokens float64) {
	m := &s.meas
	if s.cfg.Rule == RuleOracle {
		return
	}
	if st.worth.passes == 0 {
		if m.passes >= firstPasses {
			// A new stream starts from what passes were worth so far.
			st.worth.surplus.start(m.worth, freshCount)
		} else {
			// Nothing is known: a pass may well be worth its price.
			n := len(s.round.streams)
			st.worth.surplus.start(float64(s.going(n)*s.runMillis(Asked{Asks: 1})), firstCount)
		}
	}
	if st.worth.stale >= staleRounds {
		st.worth.surplus.count = min(st.worth.surplus.count, staleCount)
	}
	st.worth.passes++
	st.worth.surplus.note(value)
	st.worth.gain += (tokens - st.worth.gain) / st.worth.surplus.count
	m.passes++
	m.worth += float64(max(0.02, 1/float64(m.passes)) * (value - m.worth))
}

// foreseeAll gives the oracle each stream's worth without a pass: the mean of
// what its true chances would have been worth.
func (s *Scheduler) foreseeAll() {
	n := len(s.round.streams)
	lambda := s.going(n)
	none := s.roundMillis(Shape{n, n})
	for _, i := range s.round.streams {
		st := &s.streams[i]
		most := min(s.cfg.Block, s.cfg.DraftDepth, s.cfg.LaunchRows-1, st.room())
		best, bestSum, sum, chain := 0.0, 0.0, 0.0, 1.0
		for d := range most {
			chain = float64(chain * s.chance(st, d))
			sum += chain
			row := float64(lambda*(s.roundMillis(Shape{n, n + (d+1)*n})-none)) / float64(n)
			if sum-row > best {
				best, bestSum = sum-row, sum
			}
			st.worth.known = maxDepth
			st.worth.gains[d] += float64(max(0.02, 1/float64(st.worth.passes+1)) * (chain - st.worth.gains[d]))
		}
		st.worth.passes++
		st.worth.gain += float64(max(0.02, 1/float64(st.worth.passes)) * (bestSum - st.worth.gain))
		st.worth.surplus.value += float64(max(0.02, 1/float64(st.worth.passes)) * (best - st.worth.surplus.value))
	}
}
