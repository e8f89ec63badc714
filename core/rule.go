package core

// DraftRule is how a round's drafts are chosen: which slots ask before the
// pass, and how many drafts each window verifies after it.
type DraftRule uint8

// The draft rules.
const (
	// RuleEarlier asks for every slot, below the plain switch, and chooses
	// depths by the believed prices.
	RuleEarlier DraftRule = iota
	// RulePlain asks nothing.
	RulePlain
	// RulePriced1 and RulePriced2 are the two published attempts to price
	// asks before the pass.
	RulePriced1
	RulePriced2
	// RuleMeasured prices asks and depths by what rounds and passes took and
	// by what earlier passes were worth.
	RuleMeasured
	// RuleOracle is RuleMeasured with the world's own prices and chances. It
	// needs Config.Truth, which only a simulation has.
	RuleOracle
)

// Truth is what an oracle knows of the world.
type Truth interface {
	// Round is what a shape costs now, Pass what a pass does, launched early
	// or not.
	Round(Shape) Nanos
	Pass(a Asked, early bool) Nanos
	// Chance is the chance that draft j of the slot's coming window is kept,
	// given that the ones before it are.
	Chance(slot, j int) float64
}

// plain says that the coming round asks nothing: drafts are off, or at least
// PlainStreams replies decode. A filling prompt does not count: our choice,
// the reference leaves it open.
func (s *Scheduler) plain() bool {
	return !s.cfg.Drafts || s.cfg.DraftDepth == 0 || s.cfg.Rule == RulePlain ||
		s.cfg.PlainStreams > 0 && s.decoding >= s.cfg.PlainStreams
}

// chooseAsks takes the asks that do not pay out of the action; eligible ones
// are in it.
func (s *Scheduler) chooseAsks() {
	switch s.cfg.Rule {
	case RulePriced1:
		s.pricedAsks()
	case RulePriced2:
		s.worthyAsks()
	case RuleMeasured, RuleOracle:
		s.measuredAsks()
	}
}

// depths sets how many of its held drafts each window verifies.
func (s *Scheduler) depths() {
	switch {
	case s.cfg.Depth == DepthStatic:
		for k := range s.action.Windows {
			w := &s.action.Windows[k]
			w.Drafts = min(w.Held, s.cfg.DraftDepth)
		}
		s.trim()
	case s.cfg.Rule == RulePriced1, s.cfg.Rule == RulePriced2 && len(s.action.Windows) > 1:
		s.pricedDepths()
	case s.cfg.Rule == RuleMeasured, s.cfg.Rule == RuleOracle:
		s.measuredDepths()
	default:
		s.earlierDepths()
	}
}

// learn closes a round into the calibration, the rates and the rule's own
// state.
func (s *Scheduler) learn(o *Outcome, rows, tokens int) {
	s.learnEarlier(o, rows, tokens)
	switch s.cfg.Rule {
	case RulePriced1, RulePriced2:
		s.learnPriced(o)
	case RuleMeasured, RuleOracle:
		s.learnMeasured(o, tokens)
	}
}
