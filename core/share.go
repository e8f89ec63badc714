package core

// share keeps the decoding replies' part of the time. After a step of t taken
// while a reply decodes, t·(1−s)/s of rounds are owed before the next step,
// where s is the prompts' share.
type share struct {
	prompt PPM
	carry  bool
	owed   Micros // below 0: decode time beyond what was owed
	rounds int    // run since the last step
}

func newShare(prompt PPM, carry bool) share {
	return share{prompt: prompt, carry: carry, rounds: 1}
}

// stepped accounts for a step of t.
func (h *share) stepped(t Micros, beside bool) {
	h.rounds = 0
	if !beside {
		h.owed = 0
		return
	}
	if !h.carry {
		h.owed = max(h.owed, 0)
	}
	more := h.owes(t)
	h.owed = min(h.owed, Never-more) + more
}

// owes is t·(1−s)/s, rounded down, and at most Never.
func (h *share) owes(t Micros) Micros {
	rest, per := Micros(Whole-h.prompt), Micros(h.prompt)
	part := t % per * rest / per
	if whole := t / per; rest == 0 || whole <= (Never-part)/rest {
		return whole*rest + part
	}
	return Never
}

// ran accounts for decoding work of t.
func (h *share) ran(t Micros) { h.owed = max(h.owed, t-Never) - t }

// settled says that a round has run since the last step and nothing is owed.
func (h *share) settled() bool { return h.rounds > 0 && h.owed <= 0 }

// clear forgets every debt.
func (h *share) clear() {
	h.owed = 0
	h.rounds = max(h.rounds, 1)
}
