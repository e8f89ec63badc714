package core

import "math"

// Where a drafter makes its drafts one after another, a pass costs by the
// deepest ask, and all asks of a round share one depth: the one whose plan is
// worth the most by what drafts gained at each position.

const (
	// guess is the chance of a draft of a text that nothing is known of.
	guess = 0.7
	// depthEvery is how many rounds a depth is kept for, and depthAhead by how
	// many tokens a window another one has to be worth more.
	depthEvery = 8
	depthAhead = 0.02
	// deepShare is the least weight of a pass in the mean gains.
	deepShare = 1.0 / 32
)

// depthOf is how deep asks of a round of so many windows are.
func (s *Scheduler) depthOf(windows int) int {
	if s.meas.stepwise && windows < len(s.meas.pace) && s.meas.pace[windows].depth > 0 {
		return s.meas.pace[windows].depth
	}
	return s.askDepth()
}

// chooseDepth cuts the wants to the depth that is worth the most, if depth is
// in the price of a pass.
func (s *Scheduler) chooseDepth() {
	m := &s.meas
	most, n := s.askDepth(), len(s.round.streams)
	if m.stepwise = s.truePrice(Asked{Asks: 1, Depth: most}) > s.truePrice(Asked{Asks: 1, Depth: 1}); !m.stepwise {
		return
	}
	p := s.paceOf(n)
	if p.depth == 0 || p.depth > most || p.rounds%depthEvery == 0 {
		best, bestValue := 0, math.Inf(-1)
		if p.depth > 0 && p.depth <= most {
			best, bestValue = p.depth, s.depthWorth(p.depth)+float64(depthAhead*float64(n))
		}
		for depth := 1; depth <= most; depth++ {
			if value := s.depthWorth(depth); value > bestValue {
				best, bestValue = depth, value
			}
		}
		if best != p.depth {
			p.depth, p.together = best, mean{}
		}
	}
	for k := range m.wants {
		a := &m.wants[k].ask
		a.Depth = min(a.Depth, p.depth)
	}
}

// depthWorth is what one pass so deep over all wants would be worth with mean
// gains, its price taken off.
func (s *Scheduler) depthWorth(depth int) float64 {
	a := s.wanted()
	a.Depth = depth
	return s.meanWorth(depth) - float64(s.meas.going*s.passMillis(a, false))
}

// keepDepth moves a stream's surplus to the depth of the coming ask.
func (s *Scheduler) keepDepth(st *stream) {
	n := len(s.round.streams)
	depth := s.depthOf(n)
	w := &st.worth
	if s.meas.stepwise && w.known > 0 && w.depth > 0 && w.depth != depth {
		value, tokens := s.meanSurplus(st, depth)
		was, wasTokens := s.meanSurplus(st, w.depth)
		w.surplus.move(value-was, freshCount)
		w.gain = max(w.gain+tokens-wasTokens, 0)
	}
	w.depth = depth
}

// meanSurplus is a stream's part of the worth of a pass so deep by its mean
// gains, and the tokens in it.
func (s *Scheduler) meanSurplus(st *stream, depth int) (value, tokens float64) {
	n := len(s.round.streams)
	none := s.roundMillis(Shape{n, n})
	sum := 0.0
	for j := range depth {
		sum += st.worth.foreseen(j)
		row := float64(s.meas.going*(s.roundMillis(Shape{n, n * (2 + j)})-none)) / float64(n)
		if sum-row > value {
			value, tokens = sum-row, sum
		}
	}
	return value, tokens
}
