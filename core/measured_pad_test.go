package core

import "testing"

// stairs is priced so that an even number of rows costs less than the odd one
// below it.
type stairs struct{ line }

func (p stairs) Round(s Shape) Nanos {
	return p.line.Round(s) + Nanos(s.Rows%2)*2*p.row
}

func (p stairs) Cheapest(s Shape) Shape {
	s.Rows += s.Rows % 2
	return s
}

// TestMeasuredPads: three rows of a lone reply are widened to four, where that
// is cheaper and every cap leaves room.
func TestMeasuredPads(t *testing.T) {
	for _, k := range []struct {
		prices                       Prices
		launch, depthRows, roundRows int
		pads                         bool
	}{
		{stairs{unitPrices}, 16, 64, 0, true},
		{stairs{unitPrices}, 4, 4, 4, true},
		{stairs{unitPrices}, 3, 64, 0, false},
		{stairs{unitPrices}, 16, 3, 0, false},
		{stairs{unitPrices}, 16, 64, 3, false},
		{unitPrices, 16, 64, 0, false},
	} {
		cfg := fakeConfig(RuleMeasured, 1, k.prices)
		cfg.Block, cfg.LaunchRows, cfg.DepthRows, cfg.RoundRows = 2, k.launch, k.depthRows, k.roundRows
		d := newFake(t, cfg)
		d.text = func(ID, int) float64 { return 0.95 }
		drafted, pads := 0, 0
		for range 400 {
			for _, w := range d.act().Windows {
				if w.Drafts == 2 {
					drafted++
				}
				if w.Pad > 0 {
					pads++
				}
				if w.Pad > 0 && w.Rows()%2 > 0 {
					t.Fatalf("%+v: window %+v", k, w)
				}
			}
		}
		if k.pads != (pads > 0) || k.pads && drafted < 100 {
			t.Errorf("%+v: %d windows of two drafts, %d padded", k, drafted, pads)
		}
	}
}
