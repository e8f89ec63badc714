package core

import "slices"

// tie is the least advantage by which a deeper choice beats a shallower one.
const tie = 1e-12

// jointScratch is reused by every joint choice.
type jointScratch struct {
	gains   []gain
	low     []int
	weights []float64
	chains  [maxDepth]float64
	// layout is of the windows at hand, spread of rows in general. Whoever lays
	// out uses them before anyone else does.
	layout, spread layout
	// windows and bySlot are a round's, sorted; left are the rows of the latter
	// that no pass has taken yet.
	windows, bySlot []Window
	left            []int
}

// gain is the marginal expected tokens of one more draft in a window.
type gain struct {
	value          float64
	window, number int32 // number is that in the order of windows and positions
}

// passPrice is the believed price of a pass that drafts as deep as can be.
func (s *Scheduler) passPrice(asks, catchUps int) Nanos {
	return s.askedPrice(Asked{Asks: asks, Depth: s.askDepth(), CatchUps: catchUps})
}

func (s *Scheduler) askedPrice(a Asked) Nanos {
	if s.cfg.Prices == nil || a.Asks < 1 {
		return 0
	}
	return s.cfg.Prices.Pass(a)
}

// roundNanos is the modelled time of a round.
func (s *Scheduler) roundNanos(windows, rows int, drafted bool) Nanos {
	n := s.cfg.Prices.Round(Shape{Windows: windows, Rows: rows})
	if drafted {
		n += s.passPrice(windows, 0)
	}
	if s.cfg.Joint == 2 {
		n += s.cfg.HostNanos
	}
	return n
}

// earlierDepths is the depth rule of the modelled system: each window alone, or
// all together in joint mode.
func (s *Scheduler) earlierDepths() {
	alone := len(s.action.Windows) == 1
	if !alone && s.cfg.Joint != 0 {
		s.jointDepths()
		return
	}
	for k := range s.action.Windows {
		w := &s.action.Windows[k]
		w.Drafts = s.loneDepth(&s.streams[s.slots[w.Slot]], alone && s.decoding == 1)
	}
	s.trim()
}

// rowsMost is the most rows that drafts may bring a round to.
func (s *Scheduler) rowsMost() int {
	if s.cfg.RoundRows > 0 {
		return min(s.cfg.DepthRows, s.cfg.RoundRows)
	}
	return s.cfg.DepthRows
}

// trim takes drafts back from the deepest windows, last first, until the
// round's rows fit.
func (s *Scheduler) trim() {
	rows, deepest := 0, 0
	for _, w := range s.action.Windows {
		rows += w.Rows()
		deepest = max(deepest, w.Drafts)
	}
	for most := s.rowsMost(); rows > most && deepest > 0; deepest-- {
		for k := len(s.action.Windows) - 1; k >= 0 && rows > most; k-- {
			if w := &s.action.Windows[k]; w.Drafts == deepest {
				w.Drafts--
				rows--
			}
		}
	}
}

// loneDepth is the k of the greatest E(k) − λ·V(k+1), where E is the tokens
// expected, V the price of k+1 rows and λ the stream's own rate. The pass has
// run, so its price does not matter. A stream that is alone may verify none.
func (s *Scheduler) loneDepth(st *stream, alone bool) int {
	if st.held == 0 {
		return 0
	}
	low := 1
	if alone && s.cfg.Skip {
		low = 0
	}
	lambda, ok := st.rate.perMilli()
	if !ok {
		lambda = 2 / millis(s.cfg.Prices.Round(Shape{1, 2})+s.passPrice(1, 0))
	}
	expected, chain := 1.0, 1.0
	best, bestValue := -1, 0.0
	for k := 0; k <= st.held; k++ {
		if k > 0 {
			chain = float64(chain * s.calib.chance(k-1, st.score[k-1]))
			expected += chain
		}
		if k < low {
			continue
		}
		value := expected - float64(lambda*millis(s.cfg.Prices.Round(Shape{1, k + 1})))
		if best < 0 || value > bestValue+tie {
			best, bestValue = k, value
		}
	}
	return best
}

// jointDepths shares rows among all windows of a round: the drafts of the
// largest gains over all windows, as many as make Σ gains − λ·C(rows)
// greatest. Every count is tried, since prices need not be convex.
func (s *Scheduler) jointDepths() {
	windows := s.action.Windows
	s.rankGains()
	base := len(windows)
	for _, low := range s.joint.low {
		base += low
	}
	lambda, ok := s.rates[len(windows)].perMilli()
	if !ok {
		lambda = float64(2*len(windows)) / millis(s.roundNanos(len(windows), 2*len(windows), true))
	}
	most := min(len(s.joint.gains), max(s.rowsMost()-base, 0))
	best, bestValue, sum := 0, 0.0, 0.0
	for m := 0; m <= most; m++ {
		if m > 0 {
			sum += s.joint.gains[m-1].value
		}
		price := millis(s.cfg.Prices.Round(Shape{len(windows), base + m}))
		if value := sum - float64(lambda*price); m == 0 || value > bestValue+tie {
			best, bestValue = m, value
		}
	}
	for k := range windows {
		windows[k].Drafts = s.joint.low[k]
	}
	for _, g := range s.joint.gains[:best] {
		windows[g.window].Drafts++
	}
	s.trim()
}

// rankGains lists the gains beyond each window's least depth, greatest first,
// ties by window, then position.
func (s *Scheduler) rankGains() {
	j := &s.joint
	j.gains, j.low = j.gains[:0], j.low[:0]
	s.weigh()
	for k := range s.action.Windows {
		st := &s.streams[s.slots[s.action.Windows[k].Slot]]
		low := min(st.held, 1)
		if s.cfg.Joint == 2 && s.cfg.Skip {
			low = 0
		}
		j.low = append(j.low, low)
		chain := 1.0
		for d := range st.held {
			chain = float64(chain * s.calib.chance(d, st.score[d]))
			if d >= low {
				j.gains = append(j.gains, gain{float64(chain * j.weights[k]), int32(k), int32(len(j.gains))})
			}
		}
	}
	sortGains(j.gains)
}

func sortGains(gains []gain) {
	slices.SortFunc(gains, func(a, b gain) int {
		switch {
		case a.value > b.value:
			return -1
		case a.value < b.value:
			return 1
		default:
			return int(a.number - b.number)
		}
	})
}

// weigh sets each window's weight: 1, or in mode 2 (mean/own tokens a
// round)^Fair, scaled so that the weighted tokens sum to the plain ones.
func (s *Scheduler) weigh() {
	j := &s.joint
	j.weights = j.weights[:0]
	sum := 0.0
	for k := range s.action.Windows {
		j.weights = append(j.weights, 1)
		sum += s.streams[s.slots[s.action.Windows[k].Slot]].rate.perRound(2)
	}
	if s.cfg.Joint != 2 {
		return
	}
	mean := sum / float64(len(j.weights))
	weighted := 0.0
	for k := range j.weights {
		own := s.streams[s.slots[s.action.Windows[k].Slot]].rate.perRound(2)
		j.weights[k] = power(mean/own, s.cfg.Fair)
		weighted += float64(j.weights[k] * own)
	}
	for k := range j.weights {
		j.weights[k] = float64(j.weights[k]*sum) / weighted
	}
}

// learnEarlier closes a round into the calibration and the modelled rates.
func (s *Scheduler) learnEarlier(o *Outcome, rows, tokens int) {
	windows := s.action.Windows
	s.rates[len(windows)].add(tokens, s.roundNanos(len(windows), rows, s.round.drafted))
	for k := range windows {
		w, k := &windows[k], &o.Slots[k]
		i, ok := s.at(w.Slot, w.ID)
		if !ok || k.Status != OK {
			continue
		}
		st := &s.streams[i]
		switch {
		case w.Drafts > 0:
			s.calib.saw(st.score[:w.Drafts], k.Kept)
		case w.Held > 0 && len(windows) == 1:
			// A lone window that verified nothing still shows whether its
			// first draft would have been kept.
			s.calib.note(0, st.score[0], k.Matched)
		}
		own := s.cfg.Prices.Round(Shape{1, w.Rows()})
		if w.Held > 0 {
			own += s.passPrice(1, 0)
		}
		st.rate.add(k.Emitted, own)
	}
}
