package core

import "testing"

// priceSink keeps the price of the first round told.
type priceSink struct{ price Nanos }

func (p *priceSink) Record(e *Event) {
	if e.Kind == EventRound && p.price == 0 {
		p.price = e.Price
	}
}

// TestRoundsAreExpectedAsBelieved: before anything is measured, every rule
// expects a round to cost what is believed, drafts or not.
func TestRoundsAreExpectedAsBelieved(t *testing.T) {
	for rule := RuleEarlier; rule <= RuleMeasured; rule++ {
		for _, drafts := range []bool{false, true} {
			sink := &priceSink{}
			cfg := fakeConfig(rule, 1, unitPrices)
			cfg.Drafts, cfg.Sink, cfg.DraftDepth = drafts, sink, 0
			newFake(t, cfg).run(1)
			if want := unitPrices.Round(Shape{1, 1}); sink.price != want {
				t.Errorf("rule %d, drafts %v: %d ns expected, want %d", rule, drafts, sink.price, want)
			}
		}
	}
}
