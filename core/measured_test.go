package core

import (
	"slices"
	"testing"
)

// newMeasured is a fake device under the measured rule.
func newMeasured(tb testing.TB, streams int) *fake {
	tb.Helper()
	return newFake(tb, fakeConfig(RuleMeasured, streams, unitPrices))
}

// passes is how many rounds of a hundred ask for a stream.
func (d *fake) passes(id ID, rounds int) int {
	before := d.asked[id]
	d.run(rounds)
	return 100 * (d.asked[id] - before) / rounds
}

// TestMeasuredFollowsTheText: a text that turns bad and good again ends the
// asks and starts them within 100 rounds.
func TestMeasuredFollowsTheText(t *testing.T) {
	for streams := 1; streams <= 4; streams++ {
		good := true
		d := newMeasured(t, streams)
		d.text = func(ID, int) float64 {
			if good {
				return 0.9
			}
			return 0.1
		}
		for turn, most := range []int{0, 20, 0, 20, 0} {
			good = most == 0
			if turn > 0 {
				d.run(100)
			}
			for id := range ID(streams) {
				switch part := d.passes(id, 100); {
				case good && part < 80:
					t.Errorf("%d streams, turn %d: a good text asks in %d%% of rounds", streams, turn, part)
				case !good && part > most:
					t.Errorf("%d streams, turn %d: a bad text asks in %d%% of rounds", streams, turn, part)
				}
			}
			d.run(500)
		}
	}
}

// TestMeasuredProbesAreRare: where drafts never pay, passes take at most 1% of
// a long run's time.
func TestMeasuredProbesAreRare(t *testing.T) {
	for _, streams := range []int{1, 2, 4, 8} {
		d := newMeasured(t, streams)
		d.text = func(ID, int) float64 { return 0.02 }
		d.run(200)
		start, passing := d.now, d.passing
		d.run(10_000)
		part := float64(d.passing-passing) / float64(d.now-start)
		if part > 0.01 || d.passing == passing {
			t.Errorf("%d streams: passes take %.4f of the time", streams, part)
		}
	}
}

// TestMeasuredIsFair: beside replies that draft well, ones that never do keep
// nine tenths of what plain rounds give them, in any 400 rounds.
func TestMeasuredIsFair(t *testing.T) {
	for _, streams := range []int{2, 3, 4, 8} {
		for _, vain := range []int{1, streams / 2, streams - 1} {
			for seed := range uint64(5) {
				d := newMeasured(t, streams)
				d.seed = seed
				d.text = func(id ID, _ int) float64 {
					if int(id) < vain {
						return 0.01
					}
					return 0.95
				}
				for range 10 {
					start, before := d.now, slices.Clone(d.tokens)
					d.run(400)
					plain := float64(d.now-start) / 1000 / millis(unitPrices.Round(Shape{streams, streams}))
					for id := range streams {
						if part := float64(d.tokens[id]-before[id]) / plain; part < 0.9 {
							t.Errorf("%d streams, %d in vain, seed %d: reply %d gets %.3f of plain rounds",
								streams, vain, seed, id, part)
						}
					}
				}
			}
		}
	}
}

// TestMeasuredIsDeterministic: the same outcomes give the same actions.
func TestMeasuredIsDeterministic(t *testing.T) {
	run := func() (Micros, []int, []int) {
		d := newMeasured(t, 4)
		d.text = func(id ID, at int) float64 { return 0.1 + 0.2*float64(id)*float64(at/300%2) }
		d.run(2000)
		return d.now, d.tokens, d.asked
	}
	now, tokens, asked := run()
	for range 3 {
		if n, k, a := run(); n != now || !slices.Equal(k, tokens) || !slices.Equal(a, asked) {
			t.Fatalf("%d µs, %v tokens of %v asks; then %d, %v of %v", now, tokens, asked, n, k, a)
		}
	}
}
