package core

// expectRound and expectPass are what the rule in force expects to pay for the
// action.
func (s *Scheduler) expectRound() Nanos {
	s.layOut()
	if s.cfg.Rule != RuleMeasured {
		return s.cfg.Prices.Round(Shape{s.joint.layout.windows, s.joint.layout.rows})
	}
	s.meas.costs.init()
	return Nanos(s.laidOutMillis() * 1e6)
}

func (s *Scheduler) expectPass() Nanos {
	a := AskedBy(s.action.Asks)
	if s.cfg.Rule == RuleMeasured {
		return Nanos(s.passMillis(a, s.action.Early) * 1e6)
	}
	return s.askedPrice(a)
}

// roundMillis is what a shape costs, its rows spread evenly, as it is padded.
func (s *Scheduler) roundMillis(shape Shape) float64 {
	if s.cfg.Packing == (Packing{}) {
		return s.shapeMillis(s.padded(shape))
	}
	s.joint.spread.spread(shape)
	return s.layoutMillis(&s.joint.spread)
}

// layoutMillis is what windows of so many rows cost, as they are padded.
func (s *Scheduler) layoutMillis(l *layout) float64 {
	p := s.cfg.Packing
	if p == (Packing{}) {
		return s.shapeMillis(s.padded(Shape{l.windows, l.rows}))
	}
	if shape, ok := l.one(p); ok {
		return s.shapeMillis(shape)
	}
	ms := s.splitMillis(l)
	if s.mayEqual(l) {
		ms = min(ms, s.shapeMillis(l.equal(p)))
	}
	return ms
}

// mayEqual says that all windows may have the most rows that one of them has.
func (s *Scheduler) mayEqual(l *layout) bool {
	return s.cfg.Packing.Equal && l.windows*l.most <= min(s.cfg.LaunchRows, s.rowsMost())
}

// splitMillis is what windows cost that split a launch.
func (s *Scheduler) splitMillis(l *layout) float64 {
	ms := 0.0
	l.passes(s.cfg.Packing, func(shape Shape) { ms += s.shapeMillis(shape) })
	if s.cfg.Rule == RuleOracle {
		return ms
	}
	return float64(ms * s.meas.costs.split.factor())
}

// laidOutMillis is what the action's windows cost as they are.
func (s *Scheduler) laidOutMillis() float64 {
	l := &s.joint.layout
	if shape, ok := l.one(s.cfg.Packing); ok {
		return s.shapeMillis(shape)
	}
	return s.splitMillis(l)
}

// layOut lays the action's windows out as they are.
func (s *Scheduler) layOut() {
	l := &s.joint.layout
	l.start(len(s.action.Windows))
	if s.cfg.Packing == (Packing{}) {
		// Windows may be padded beyond what a layout tells apart.
		for k := range s.action.Windows {
			l.rows += s.action.Windows[k].Rows() - 1
		}
		return
	}
	for k := range s.action.Windows {
		for rows := 1; rows < s.action.Windows[k].Rows(); rows++ {
			l.widen(rows)
		}
	}
}

// shapeMillis is what a shape costs in one pass over the weights.
func (s *Scheduler) shapeMillis(shape Shape) float64 {
	if s.cfg.Rule == RuleOracle {
		return millis(s.cfg.Truth.Round(shape))
	}
	return s.meas.costs.round(s.cfg.Prices.Round(shape), shape)
}

// padded is the cheapest shape of a launch that holds another.
func (s *Scheduler) padded(shape Shape) Shape {
	most := min(s.cfg.LaunchRows, s.rowsMost())
	if shape.Rows > most {
		return shape
	}
	wide := s.cfg.Prices.Cheapest(shape)
	if wide.Windows != shape.Windows || wide.Rows < shape.Rows || wide.Rows > most {
		return shape
	}
	return wide
}

// passMillis is what a pass costs; with early, one launched early.
func (s *Scheduler) passMillis(a Asked, early bool) float64 {
	if s.cfg.Rule == RuleOracle {
		return millis(s.cfg.Truth.Pass(a, early))
	}
	late := 0.0
	if s.meas.stepwise {
		late = max(s.believedLate(&a)+float64(float64(a.Rounds)*s.meas.costs.ingest.beyond), 0)
		a.CatchUps, a.Rounds = 0, 0
	}
	return s.meas.costs.pass(s.askedPrice(a), a.Asks, s.passKind(a.Depth, early)) + late
}

// believedLate is what the rounds that a pass catches up on are believed to
// cost. Drafters that draft one by one read them one by one, and how many there
// are differs from pass to pass: they are learnt apart.
func (s *Scheduler) believedLate(a *Asked) float64 {
	if a.Rounds == 0 {
		return 0
	}
	none := *a
	none.CatchUps, none.Rounds = 0, 0
	return float64(millis(s.askedPrice(*a)-s.askedPrice(none)) * s.meas.costs.all)
}

// truePrice is what a pass costs by what the rule in force knows.
func (s *Scheduler) truePrice(a Asked) Nanos {
	if s.cfg.Rule == RuleOracle {
		return s.cfg.Truth.Pass(a, false)
	}
	return s.askedPrice(a)
}

// passKind is what passes are measured apart by: launched early or not, and how
// deep, if that is in their price.
func (s *Scheduler) passKind(depth int, early bool) int {
	kind := 0
	if s.meas.stepwise {
		kind = 2 * depth
	}
	if early {
		kind++
	}
	return kind
}

// runMillis is what a pass of the chosen depth costs in a run of drafted
// rounds. A lone stream's are launched early, all but the first; of several,
// those who ask change.
func (s *Scheduler) runMillis(a Asked) float64 {
	early := s.cfg.LaunchEarly && len(s.round.streams) == 1 || s.round.early == a.Asks
	a.Depth = s.depthOf(len(s.round.streams))
	return s.passMillis(a, early)
}

// askPrice is what a pass has to be worth.
func (s *Scheduler) askPrice(lambda float64, a Asked) float64 {
	price := float64(lambda * s.runMillis(a))
	if len(s.round.streams) > 1 && s.cfg.Rule != RuleOracle {
		price = float64(price * ahead)
	}
	return price
}

// chance is the chance of draft j that a stream holds.
func (s *Scheduler) chance(st *stream, j int) float64 {
	if s.cfg.Rule == RuleOracle {
		return min(s.cfg.Truth.Chance(st.slot, j), 0.995)
	}
	score := st.score[j]
	q := s.meas.chances.of(j, score, s.calib.chance(j, score))
	return min(float64(q*st.trust.factor()), 0.995)
}

// plainIsUnknown says that plain rounds of so many streams have to be seen
// before drafts can be held against them: nothing of this machine was believed.
func (s *Scheduler) plainIsUnknown() bool {
	n := len(s.round.streams)
	if s.cfg.Packing == (Packing{}) {
		return s.meas.costs.fewSeen(s.padded(Shape{n, n}))
	}
	s.joint.layout.start(n)
	return s.meas.costs.fewSeen(s.joint.layout.total(s.cfg.Packing))
}

// going is the long-run rate of rounds of so many windows, in tokens a
// millisecond: what was measured, and no less than plain rounds give.
func (s *Scheduler) going(windows int) float64 {
	plain := float64(windows) / s.roundMillis(Shape{windows, windows})
	if windows < len(s.meas.pace) {
		if p := &s.meas.pace[windows]; p.rounds >= 8 && p.millis > 0 {
			return max(plain, p.tokens/p.millis)
		}
	}
	return plain
}

// paceOf is the pace of rounds of so many windows.
func (s *Scheduler) paceOf(windows int) *pace {
	for len(s.meas.pace) <= windows {
		s.meas.pace = append(s.meas.pace, pace{})
	}
	return &s.meas.pace[windows]
}
