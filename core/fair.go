package core

// Streams that others are drafted for fall behind plain rounds. How far is
// kept as a credit, and weighs as a backlog does in drift-plus-penalty
// scheduling (Neely, Stochastic Network Optimization, 2010): tokens of a stream
// that is behind count for more, and so does the time of a round.


// weighClaims sets the claims of the round's streams and what a millisecond
// costs them together, in tokens.
func (s *Scheduler) weighClaims() {
	m := &s.meas
	m.claims = 0
	n := len(s.round.streams)
	for _, i := range s.round.streams {
		st := &s.streams[i]
		st.claim = 0
		if n > 1 {
			st.claim = max(0, -st.credit/st.allowance())
		}
		m.claims += st.claim
	}
	m.claims = float64(m.claims*fairPart) / s.roundMillis(Shape{n, n})
}

// allowance is how many tokens chance may put a stream behind.
func (st *stream) allowance() float64 {
	return creditLow + float64(creditSlack*float64(min(st.emitted, 400)))
}
