package core

import "testing"

// TestPricedProbesAreRare: where drafts never pay, the passes of the priced
// rules, the first looks left out, take at most 1% of the rounds' time, as
// modelled.
func TestPricedProbesAreRare(t *testing.T) {
	for _, rule := range []DraftRule{RulePriced1, RulePriced2} {
		for streams := 2; streams <= 4; streams++ {
			prices := &priceTable{pass: 5e6, ask: 2e6, late: 1e6}
			for k := range prices.rows {
				prices.rows[k] = 20e6 + 6e6*Nanos(k)
			}
			d := newFake(t, fakeConfig(rule, streams, prices))
			d.text = func(ID, int) float64 { return 0.05 }
			d.run(20)
			start, passing, asked := d.now, d.passing, d.asked[0]
			d.run(5000)
			part := float64(d.passing-passing) / float64(d.now-start)
			if part > 0.0101 || d.asked[0] == asked {
				t.Errorf("rule %d, %d streams: passes take %.4f of the time, %d of them", rule, streams, part, d.asked[0]-asked)
			}
		}
	}
}
