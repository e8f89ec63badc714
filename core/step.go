package core

// stepAllowed says whether a prompt step may run now: always with no reply
// decoding; else when a round has run since the last step and nothing is
// owed, or while the budget of rows between two rounds lasts.
func (s *Scheduler) stepAllowed() bool {
	switch {
	case !s.cfg.Steps:
		return false
	case s.decoding == 0, s.share.settled():
		return true
	default:
		return s.share.rounds == 0 && s.budget < s.cfg.BudgetRows
	}
}

// step asks for the next piece of the prompt whose turn it is.
func (s *Scheduler) step() {
	i := s.nextPrompt()
	rows := min(s.streams[i].left(), s.cfg.StepRows)
	if s.decoding > 0 {
		for _, limit := range [...]int{s.cfg.PolicyRows, s.cfg.DecodeShareRows} {
			if limit > 0 {
				rows = min(rows, limit)
			}
		}
		if s.cfg.BudgetRows > 0 {
			rows = min(rows, max(s.cfg.BudgetRows-s.budget, 1))
		}
	}
	s.ask(i, rows)
}

func (s *Scheduler) wholePrompt(i int32) { s.ask(i, s.streams[i].left()) }

func (s *Scheduler) ask(i int32, rows int) {
	st := &s.streams[i]
	s.action.Kind = Step
	s.action.From, s.action.Rows = st.filled, rows
	s.action.Last = rows == st.left()
	s.use(i)
}

// nextPrompt picks the filling prompt that takes the next step.
func (s *Scheduler) nextPrompt() int32 {
	best := int32(-1)
	for _, i := range s.admitted {
		st := &s.streams[i]
		if st.phase != filling {
			continue
		}
		if best < 0 || s.before(st, &s.streams[best]) {
			best = i
		}
	}
	return best
}

// before says that a takes the next step rather than b, which was admitted
// earlier.
func (s *Scheduler) before(a, b *stream) bool {
	switch s.cfg.Order {
	case OrderSRPT:
		if starved := s.cfg.PassedOver; a.passedOver >= starved || b.passedOver >= starved {
			return a.passedOver > b.passedOver
		}
		return a.left() < b.left()
	case OrderTurns:
		// The one that has waited longest, round and round. A newcomer counts
		// as passed over by the step it arrived in: it goes before the prompt
		// that took that step, behind those that wait.
		return a.waited() > b.waited()
	default:
		return false
	}
}

// waited is the steps that others took since the prompt's last, one at least
// before its first.
func (st *stream) waited() int {
	if st.stepped {
		return st.passedOver
	}
	return max(st.passedOver, 1)
}

func (s *Scheduler) doneStep(now Micros, o *Outcome) {
	a := &s.action
	s.share.stepped(o.Wall, a.Beside)
	if a.Beside {
		s.budget += a.Rows
		s.inRow++
	}
	i, ok := s.at(a.Slot, a.ID)
	e := Event{At: now, Kind: EventStep, ID: a.ID, Slot: a.Slot, From: a.From, Rows: o.Rows, Wall: o.Wall, Device: o.Device,
		Owed: s.Owed(), Beside: a.Beside, Last: a.Last, Reason: reason(o.Status)}
	s.emit(e)
	for _, j := range s.admitted {
		if other := &s.streams[j]; other.phase == filling {
			other.passedOver++
		}
	}
	if !ok {
		return // cancelled meanwhile
	}
	st := &s.streams[i]
	st.passedOver, st.stepped = 0, true
	switch o.Status {
	case Failed:
		s.end(now, i, EventFailed, "failed")
		return
	case Lost:
		s.lost(now, i)
		return
	}
	st.filled += o.Rows
	if st.left() > 0 {
		return
	}
	st.phase = decoding
	s.filling--
	s.decoding++
	if st.emitted > 0 {
		// Filled again after a loss: the pending token was sent before.
		return
	}
	s.deliver(now, i, delivery{tokens: 1}, o.End)
}

func reason(st Status) string {
	if st == OK {
		return ""
	}
	return st.String()
}
