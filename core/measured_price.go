package core

// expectRound and expectPass are what the rule in force expects to pay.
func (s *Scheduler) expectRound(shape Shape) Nanos {
	if s.cfg.Rule == RuleMeasured {
		s.meas.costs.init()
		return Nanos(s.meas.costs.round(s.cfg.Prices.Round(shape), shape) * 1e6)
	}
	return s.cfg.Prices.Round(shape)
}

func (s *Scheduler) expectPass(asks, catchUps int) Nanos {
	if s.cfg.Rule == RuleMeasured {
		return Nanos(s.passMillis(asks, catchUps, s.action.Early) * 1e6)
	}
	return s.passPrice(asks, catchUps)
}

// roundMillis is what a shape costs, padded to the cheapest that holds it.
func (s *Scheduler) roundMillis(shape Shape) float64 {
	shape = s.padded(shape)
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
func (s *Scheduler) passMillis(asks, catchUps int, early bool) float64 {
	if s.cfg.Rule == RuleOracle {
		return millis(s.cfg.Truth.Pass(asks, catchUps, early))
	}
	kind := 0
	if early {
		kind = 1
	}
	return s.meas.costs.pass(s.passPrice(asks, catchUps), asks, kind)
}

// runMillis is what a pass costs in a run of drafted rounds. A lone stream's
// are launched early, all but the first; of several, those who ask change.
func (s *Scheduler) runMillis(asks, catchUps int) float64 {
	early := s.cfg.LaunchEarly && len(s.round.streams) == 1 || s.round.early == asks
	return s.passMillis(asks, catchUps, early)
}

// askPrice is what a pass has to be worth.
func (s *Scheduler) askPrice(lambda float64, asks, catchUps int) float64 {
	price := float64(lambda * s.runMillis(asks, catchUps))
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
