package core

// rateRounds is how many rounds a rate remembers.
const rateRounds = 16

// rate is tokens and modelled time of the last rounds. No clock is read: the
// time is what the rounds should have cost, so that a choice can be replayed.
type rate struct {
	tokens [rateRounds]int32
	nanos  [rateRounds]Nanos
	n, at  int
	sumT   int64
	sumN   Nanos
}

func (r *rate) add(tokens int, nanos Nanos) {
	if r.n == rateRounds {
		r.sumT -= int64(r.tokens[r.at])
		r.sumN -= r.nanos[r.at]
	} else {
		r.n++
	}
	r.tokens[r.at], r.nanos[r.at] = int32(tokens), nanos
	r.sumT += int64(tokens)
	r.sumN += nanos
	r.at = (r.at + 1) % rateRounds
}

// perMilli is tokens per modelled millisecond; ok is false before any round.
func (r *rate) perMilli() (value float64, ok bool) {
	if r.n == 0 || r.sumN <= 0 {
		return 0, false
	}
	return float64(r.sumT) / millis(r.sumN), true
}

// perRound is tokens a round, or fallback before any.
func (r *rate) perRound(fallback float64) float64 {
	if r.n == 0 {
		return fallback
	}
	return float64(r.sumT) / float64(r.n)
}

func millis(n Nanos) float64 { return float64(n) / 1e6 }
