package core

import (
	"fmt"
	"testing"
)

// stepDevice makes drafts one after another, and lays windows out its own way.
type stepDevice struct {
	name    string
	packing Packing
	costs   line
	read    float64 // ms of a round that the drafter catches up on
}

// What is believed of them is of another machine.
var stepDevices = []stepDevice{
	{"a CPU, even windows", Packing{Least: 2, Multiple: 2, Equal: true},
		line{first: 300_000, row: 200_000, window: 50_000, pass: 40_000, step: 90_000}, 0.04},
	{"a CPU", Packing{Equal: true},
		line{first: 300_000, row: 200_000, window: 50_000, pass: 40_000, step: 90_000}, 0.04},
	{"a GPU", Packing{Equal: true},
		line{first: 9_000_000, row: 60_000, window: 100_000, pass: 100_000, step: 900_000}, 0.02},
	{"a GPU, a slow drafter", Packing{Equal: true},
		line{first: 9_000_000, row: 60_000, window: 100_000, pass: 100_000, step: 4_000_000}, 0.1},
}

// believed is a formula that only knows that a pass goes by its depth.
var believed = line{first: 42_000_000, row: 5_000_000, pass: 1_500_000, step: 1_000_000}

// decode decodes replies on such a device, drafts of a text right by chance.
func (c *stepDevice) decode(tb testing.TB, rule DraftRule, streams, depth int, chance float64) *fake {
	tb.Helper()
	cfg := fakeConfig(rule, streams, believed)
	cfg.Packing, cfg.DraftDepth, cfg.LaunchRows, cfg.MostBehind = c.packing, depth, 64, 32
	d := newFake(tb, cfg)
	d.round = func(s Shape) float64 { return millis(c.costs.Round(s)) }
	d.pass = func(a Asked) float64 {
		return millis(c.costs.Pass(a))*(0.6+0.4*float64(a.Asks)) + float64(a.Rounds)*c.read
	}
	d.text = func(ID, int) float64 { return chance }
	return d
}

// rate runs rounds and gives tokens a millisecond.
func (d *fake) rate(rounds int) float64 {
	start, before := d.now, 0
	for _, n := range d.tokens {
		before += n
	}
	d.run(rounds)
	tokens := -before
	for _, n := range d.tokens {
		tokens += n
	}
	return 1000 * float64(tokens) / float64(d.now-start)
}

// TestDepthGoesByItsPrice: with a depth of its choice the rule is as fast as
// with the best one it could be held to, and no slower than without drafts.
func TestDepthGoesByItsPrice(t *testing.T) {
	const most, rounds = 6, 1500
	for _, device := range stepDevices {
		for _, streams := range []int{1, 2, 4} {
			for _, chance := range []float64{0.1, 0.4, 0.6, 0.8, 0.95} {
				t.Run(fmt.Sprintf("%s/%d/%g", device.name, streams, chance), func(t *testing.T) {
					plain := device.decode(t, RulePlain, streams, most, chance).rate(100)
					best, at := 0.0, 0
					for depth := 1; depth <= most; depth++ {
						d := device.decode(t, RuleMeasured, streams, depth, chance)
						d.run(200)
						if rate := d.rate(rounds); rate > best {
							best, at = rate, depth
						}
					}
					d := device.decode(t, RuleMeasured, streams, most, chance)
					first := d.rate(200)
					got := d.rate(rounds)
					if first < 0.9*plain || got < 0.97*best || got < 0.98*plain {
						t.Errorf("at first %.3f of plain rounds, then %.3f; %.3f with drafts at most %d deep", first/plain, got/plain, best/plain, at)
					}
				})
			}
		}
	}
}

// TestDepthFollowsTheText: where a text turns, asks grow as deep as pays there
// and shallow again, and texts beside each other that draft well and badly are
// no slower than without drafts.
func TestDepthFollowsTheText(t *testing.T) {
	const most = 6
	device := stepDevices[2]
	for _, streams := range []int{1, 2, 4} {
		best := map[float64]float64{}
		for _, chance := range []float64{0.95, 0.3} {
			for depth := 1; depth <= most; depth++ {
				held := device.decode(t, RuleMeasured, streams, depth, chance)
				held.run(200)
				best[chance] = max(best[chance], held.rate(1500))
			}
		}
		now := 0.95
		d := device.decode(t, RuleMeasured, streams, most, 0)
		d.text = func(ID, int) float64 { return now }
		for turn := range 6 {
			now = []float64{0.95, 0.3}[turn%2]
			d.run(150)
			if got := d.rate(500); got < 0.95*best[now] {
				t.Errorf("%d streams, turn %d: %.3f of the best depth, at %d", streams, turn, got/best[now], d.s.depthOf(streams))
			}
		}
	}
	for _, device := range stepDevices {
		d := device.decode(t, RuleMeasured, 4, most, 0)
		d.text = func(id ID, _ int) float64 { return []float64{0.95, 0.05}[id%2] }
		d.run(200)
		plain := device.decode(t, RulePlain, 4, most, 0).rate(100)
		if got := d.rate(3000); got < 0.98*plain {
			t.Errorf("%s: two good texts beside two bad ones: %.3f of plain rounds", device.name, got/plain)
		} else {
			t.Logf("%s: %.3f of plain rounds", device.name, got/plain)
		}
	}
}
