package core

import (
	"math"
	"math/rand/v2"
	"testing"
)

// taught is costs taught by rounds of a few shapes, as a lone stream and two
// make them: truth is the factor of a shape at a round.
func taught(rounds int, truth func(s Shape, n int) float64) *costs {
	c := &costs{}
	c.init()
	teach(c, rounds, truth)
	return c
}

var taughtShapes = []Shape{{1, 1}, {1, 3}, {2, 2}, {2, 5}, {1, 6}, {2, 9}}

func teach(c *costs, rounds int, truth func(s Shape, n int) float64) {
	for n := range rounds {
		s := taughtShapes[n%len(taughtShapes)]
		price := unitPrices.Round(s)
		c.sawRound(price, s, Micros(float64(price)/1000*truth(s, n)))
	}
}

// off is how far the costs of the shapes taught are from a truth, at most.
func off(c *costs, truth func(Shape) float64) float64 {
	most := 0.0
	for _, s := range taughtShapes {
		price := unitPrices.Round(s)
		most = math.Max(most, math.Abs(c.round(price, s)/(millis(price)*truth(s))-1))
	}
	return most
}

var costTruths = map[string]func(Shape) float64{
	"as believed":     func(Shape) float64 { return 1 },
	"faster":          func(Shape) float64 { return 0.8 },
	"slower":          func(Shape) float64 { return 1.25 },
	"another machine": func(Shape) float64 { return 0.01 },
	"and by shape":    func(s Shape) float64 { return 4 + 0.2*float64(s.Rows)/float64(s.Windows) },
	"by shape":        func(s Shape) float64 { return 0.85 + 0.05*float64(s.Rows)/float64(s.Windows) },
}

// TestCostsFollowTheTruth: within tens of rounds; one outlier in twenty does
// little harm.
func TestCostsFollowTheTruth(t *testing.T) {
	for name, truth := range costTruths {
		t.Run(name, func(t *testing.T) {
			c := taught(60, func(s Shape, _ int) float64 { return truth(s) })
			if e := off(c, truth); e > 0.02 {
				t.Errorf("%.3f off after 60 rounds", e)
			}
			mean := 0.0
			for seed := range uint64(20) {
				r := rand.New(rand.NewPCG(seed, 0))
				c = taught(200, func(s Shape, _ int) float64 {
					if r.IntN(20) == 0 {
						return 5 * truth(s)
					}
					return truth(s)
				})
				mean += off(c, truth) / 20
			}
			if mean > 0.06 {
				t.Errorf("%.3f off with one round in twenty of five times its time", mean)
			}
		})
	}
}

// TestCostsFollowHeat: the machine slows by a fifth over 500 rounds.
func TestCostsFollowHeat(t *testing.T) {
	heat := func(n int) float64 { return 1 + 0.2*float64(n)/500 }
	c := taught(500, func(_ Shape, n int) float64 { return heat(n) })
	if e := off(c, func(Shape) float64 { return heat(500) }); e > 0.02 {
		t.Errorf("%.3f off", e)
	}
}

// TestCostsOfNoise: with noise of a tenth, one measurement of known shapes
// moves a price by less than 2% in the mean, and prices stay within 12%.
func TestCostsOfNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	noise := func(Shape, int) float64 { return 1 + 0.1*r.NormFloat64() }
	c := taught(200, noise)
	s := taughtShapes[1]
	price := unitPrices.Round(s)
	moved, worst := 0.0, 0.0
	for range 1000 {
		before := c.round(price, s)
		c.sawRound(price, s, Micros(float64(price)/1000*noise(s, 0)))
		moved += math.Abs(c.round(price, s)/before-1) / 1000
		worst = math.Max(worst, math.Abs(c.round(price, s)/millis(price)-1))
	}
	if moved > 0.02 || worst > 0.12 {
		t.Errorf("one measurement moves a price by %.4f, at worst to %.3f off", moved, worst)
	}
}

// TestCostsOfPasses: a pass believed five times too cheap or too dear.
func TestCostsOfPasses(t *testing.T) {
	for _, factor := range []float64{0.2, 5} {
		c := &costs{}
		c.init()
		for n := range 10 {
			c.sawPass(3_520_000, 1+n%2, 0, Micros(3520*factor))
		}
		for asks := 1; asks <= 3; asks++ {
			if got := c.pass(3_520_000, asks, 0) / 3.52; math.Abs(got/factor-1) > 0.02 {
				t.Errorf("factor %g, %d asks: %g", factor, asks, got)
			}
		}
	}
}

// TestCostsOfAPassBeforeRounds: the first rounds set the scale, and a pass
// measured before them costs what it took.
func TestCostsOfAPassBeforeRounds(t *testing.T) {
	c := &costs{}
	c.init()
	c.sawPass(3_520_000, 1, 0, 35)
	teach(c, opening, func(Shape, int) float64 { return 0.02 })
	if got := c.pass(3_520_000, 1, 0); math.Abs(got/0.035-1) > 0.01 {
		t.Errorf("%.4f ms, took 0.035", got)
	}
}
