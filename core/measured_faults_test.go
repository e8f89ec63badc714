package core

import "testing"

// TestRulesChange: any rule may follow any other, with prices by depth or not.
func TestRulesChange(t *testing.T) {
	for _, costs := range []line{unitPrices, {first: 21_400_000, row: 4_600_000, pass: 500_000, step: 700_000}} {
		for from := RuleEarlier; from <= RuleMeasured; from++ {
			for to := RuleEarlier; to <= RuleMeasured; to++ {
				for _, streams := range []int{1, 2, 4} {
					d := newFake(t, fakeConfig(from, streams, costs))
					d.run(40)
					cfg := d.s.cfg
					cfg.Rule = to
					for d.s.outstanding {
						d.act()
					}
					if err := d.s.Reconfigure(cfg); err != nil {
						t.Fatal(err)
					}
					d.run(40)
				}
			}
		}
	}
}

// lateLine is a line whose passes also cost by what they catch up on.
type lateLine struct {
	line
	each, round Nanos
}

func (l lateLine) Pass(a Asked) Nanos {
	return l.line.Pass(a) + l.each*Nanos(a.CatchUps) + l.round*Nanos(a.Rounds)
}

// TestPassesCost: whatever was learnt of catching up, no pass is free.
func TestPassesCost(t *testing.T) {
	prices := lateLine{line{first: 9_000_000, row: 60_000, pass: 100_000, step: 900_000}, 1_000_000, 50_000}
	for _, real := range []float64{0, 0.01, 1} { // of what is believed
		d := newFake(t, fakeConfig(RuleMeasured, 2, prices))
		d.pass = func(a Asked) float64 {
			late := float64(prices.each)*float64(a.CatchUps) + float64(prices.round)*float64(a.Rounds)
			return millis(prices.line.Pass(a)) + real*late/1e6
		}
		good := true
		d.text = func(ID, int) float64 {
			if good {
				return 0.9
			}
			return 0.02
		}
		for k := range 3000 {
			good = k/300%2 == 0
			d.run(1)
			for rounds := 1; rounds <= 64; rounds *= 2 {
				if ms := d.s.passMillis(Asked{Asks: 1, Depth: 1, CatchUps: 1, Rounds: rounds}, false); ms <= 0 {
					t.Fatalf("round %d: a pass that catches up on %d rounds costs %g ms", k, rounds, ms)
				}
			}
		}
	}
}

// TestColdStart: one slow first round is no strange machine.
func TestColdStart(t *testing.T) {
	var c costs
	c.init()
	shape := Shape{1, 1}
	for k := range 30 {
		took := Micros(10_000)
		if k == 0 {
			took = 300_000
		}
		c.sawRound(10_000_000, shape, took)
	}
	if got := c.round(10_000_000, shape); c.strange || got < 9.5 || got > 10.5 {
		t.Errorf("strange %v; a round of 10 ms is taken for %.2f", c.strange, got)
	}
}

// TestStrangePads: on a machine of which nothing was believed, whose plain
// rounds are padded, drafts that pay are asked for.
func TestStrangePads(t *testing.T) {
	cfg := fakeConfig(RuleMeasured, 1, stairs{unitPrices})
	d := newFake(t, cfg)
	d.round = func(s Shape) float64 { return 0.3 * millis(stairs{unitPrices}.Round(s)) }
	d.pass = func(a Asked) float64 { return 0.3 * millis(unitPrices.Pass(a)) }
	d.text = func(ID, int) float64 { return 0.9 }
	d.run(200)
	if part := d.passes(0, 200); part < 90 {
		t.Errorf("asks in %d%% of rounds", part)
	}
}

// TestLostWindowsTeachNothing: what a round took that lost a window, as when the
// device hung, says nothing of its shape.
func TestLostWindowsTeachNothing(t *testing.T) {
	d := newMeasured(t, 2)
	d.s.meas.costs.init()
	want := d.s.roundMillis(Shape{2, 2})
	a := d.s.Next(d.now)
	for a.Kind != Round {
		d.out = Outcome{Confidences: make([]float64, 64)[:AskedBy(a.Asks).Depth*len(a.Asks)]}
		if err := d.s.Done(d.now, &d.out); err != nil {
			t.Fatal(err)
		}
		a = d.s.Next(d.now)
	}
	d.out = Outcome{Wall: 120_000_000, Device: 120_000_000, Slots: []SlotOutcome{{Emitted: 1}, {Status: Lost}}}
	if err := d.s.Done(d.now, &d.out); err != nil {
		t.Fatal(err)
	}
	if got := d.s.roundMillis(Shape{2, 2}); got > 1.05*want {
		t.Errorf("a plain round goes from %.2f to %.2f ms", want, got)
	}
}
