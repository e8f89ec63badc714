package core

// Streams that others are drafted for fall behind plain rounds. How far is kept
// as a credit, which weighs as a backlog does in drift-plus-penalty scheduling
// (Neely, Stochastic Network Optimization, 2010): tokens of a stream that is
// behind count for more, and so does the time of a round. Claims choose among
// plans that pay without them; they never make one pay.

const (
	// fairPart is the part of what plain rounds would give that each stream
	// keeps when others are drafted for.
	fairPart = 0.93
	// slackTokens and slackPart are how many tokens a stream may fall behind
	// that part by chance: some, and some for each token of its reply, up to
	// slackReach tokens.
	slackTokens = 1.5
	slackPart   = 0.015
	slackReach  = 400
	// mostCredit is the most tokens that a stream may be ahead.
	mostCredit = 3
)

// weighClaims sets the claims of the round's streams: 1, as much again, for one
// that is as far behind as chance allows. claims is what a millisecond costs
// them together, in tokens.
func (s *Scheduler) weighClaims() {
	n := len(s.round.streams)
	sum := 0.0
	for _, i := range s.round.streams {
		st := &s.streams[i]
		st.claim = 0
		if n > 1 {
			st.claim = max(0, -st.credit/st.slack())
		}
		sum += st.claim
	}
	s.meas.claims = float64(sum*fairPart) / s.roundMillis(Shape{n, n})
}

// earn notes a round that gave a stream tokens, and took as long as so many
// plain ones.
func (st *stream) earn(tokens int, plains float64) {
	st.credit = min(st.credit+float64(tokens)-float64(fairPart*plains), mostCredit)
}

// slack is how many tokens chance may put a stream behind.
func (st *stream) slack() float64 {
	return slackTokens + float64(slackPart*float64(min(st.emitted, slackReach)))
}

// onlyPlainIsFair says that a stream is further behind than chance explains and
// cannot ask, or has drafts that do not even pay it for the time of its own
// pass.
func (s *Scheduler) onlyPlainIsFair() bool {
	n := len(s.round.streams)
	if n < 2 {
		return false
	}
	part := s.runMillis(Asked{Asks: 1}) / s.roundMillis(Shape{n, n})
	for _, i := range s.round.streams {
		if st := &s.streams[i]; st.credit < -st.slack() &&
			(st.req.NoDraft || st.room() < 1 || st.worth.passes > 0 && st.worth.surplus.value < part) {
			return true
		}
	}
	return false
}
