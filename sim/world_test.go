package sim

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
)

// Each factor multiplies its own kind of work and no other.
func TestFactors(t *testing.T) {
	walls := func(change func(*World)) (step, pass, round core.Micros) {
		w := DefaultWorld()
		change(&w)
		r := request(1)
		d := server(w, r)
		step = do(t, d, whole(0, r)).Wall
		pass = do(t, d, core.Action{Kind: core.Pass, Asks: []core.Ask{{Depth: 3}}}).Wall
		round = do(t, d, core.Action{Kind: core.Round, Windows: []core.Window{window(0, 64, 3)}, Launches: []int{1}}).Wall
		return step, pass, round
	}
	step, pass, round := walls(func(*World) {})
	for _, c := range []struct {
		name              string
		change            func(*World)
		step, pass, round core.Micros
	}{
		{"rows", func(w *World) { w.Rows = 1.25 }, step, pass, round * 5 / 4},
		{"pass", func(w *World) { w.Pass = 3 }, step, pass * 3, round},
		{"chunk", func(w *World) { w.Chunk = 0.5 }, step / 2, pass, round},
		{"heat", func(w *World) { w.Heat = 0.5 }, step * 3 / 2, pass * 3 / 2, round * 3 / 2},
		{"confidence", func(w *World) { w.Confidence = 2 }, step, pass, round},
	} {
		s, p, r := walls(c.change)
		require.Equal(t, [...]core.Micros{c.step, c.pass, c.round}, [...]core.Micros{s, p, r}, c.name)
	}
}

// What an early launch hides is the table's; the factor is on what is left.
func TestPassFactorOfAnEarlyPass(t *testing.T) {
	w := DefaultWorld()
	w.Pass = 3
	r := request(1)
	d := server(w, r)
	do(t, d, whole(0, r))
	o := do(t, d, core.Action{Kind: core.Pass, Asks: []core.Ask{{Depth: 3}}, Early: true})
	require.Equal(t, ms(3), o.Wall)
}

// A tail is chunk work: its factor is the chunk's, and with noise no wall
// time is below zero.
func TestTailFactor(t *testing.T) {
	w := DefaultWorld()
	w.Chunk = 2
	r := request(1, func(r *Request) { r.Prompt = 128 })
	d := server(w, r)
	o := do(t, d, core.Action{Kind: core.Step, ID: 1, Rows: 64, First: true})
	require.Equal(t, 2*ms(7+100-8), o.Wall)
	require.Equal(t, 2*ms(7+100), o.Device)
}

// The noise is lognormal with the sigma that was asked for, around the price,
// and not correlated from one action to the next.
func TestNoise(t *testing.T) {
	for _, sigma := range []float64{0.02, 0.3} {
		w := DefaultWorld()
		w.Noise = sigma
		d := NewDevice(exact(), w, 1, 0, nil)
		var logs []float64
		for range 20_000 {
			logs = append(logs, math.Log(float64(d.truth.spend(1e9, 1, 1))/1e6))
		}
		n := math.Sqrt(float64(len(logs)))
		require.InDelta(t, 0, stat.Mean(logs, nil), 4*sigma/n)
		require.InDelta(t, sigma, stat.StdDev(logs, nil), 4*sigma/n)
		require.InDelta(t, 0, stat.Correlation(logs[1:], logs[:len(logs)-1], nil), 4/n)
		require.InDelta(t, 0, stat.Skew(logs, nil), 0.1)
	}
}

// The noise of rounds is theirs and that of passes: prompt steps take what they
// cost.
func TestRoundNoise(t *testing.T) {
	w := DefaultWorld()
	w.RoundNoise = 0.1
	r := request(1)
	d := server(w, r)
	require.Equal(t, ms(7+100+30), do(t, d, whole(0, r)).Device)
	require.NotEqual(t, ms(4), do(t, d, core.Action{Kind: core.Pass, Asks: []core.Ask{{Slot: 0, Depth: 3}}}).Device)
	require.NotEqual(t, ms(10)+64, do(t, d, round(window(0, 64, 0))).Device)
	w.Noise = 0.2
	a, b := NewDevice(exact(), w, 1, 0, nil), NewDevice(exact(), w, 1, 0, nil)
	require.Equal(t, a.truth.spend(1e9, 1, a.truth.heat.rounds()), b.truth.spendRound(1e9, 1), "the greater of both")
}

func TestNoiseComesFromTheSeed(t *testing.T) {
	spans := func(seed uint64) (all []core.Micros) {
		w := DefaultWorld()
		w.Seed, w.Noise = seed, 0.1
		d := NewDevice(exact(), w, 1, 0, nil)
		for range 8 {
			all = append(all, d.truth.spend(1e9, 1, 1))
		}
		return all
	}
	require.Equal(t, spans(1), spans(1))
	require.NotEqual(t, spans(1), spans(2))
}

// The exponent is on the odds of the confidences that core sees; what a draft
// is worth stays.
func TestConfidenceExponent(t *testing.T) {
	odds := func(p float64) float64 { return math.Log(p / (1 - p)) }
	kept := func(exponent float64) (confidences []float64, kept int) {
		w := DefaultWorld()
		w.Confidence = exponent
		r := request(1, func(r *Request) { r.Loads[0] = "chat" })
		d := server(w, r)
		do(t, d, whole(0, r))
		for range 50 {
			o := do(t, d, core.Action{Kind: core.Pass, Asks: []core.Ask{{Depth: 5}}})
			confidences = append(confidences, o.Confidences...)
			o = do(t, d, round(window(0, 64, 5)))
			kept += o.Slots[0].Kept
		}
		return confidences, kept
	}
	fair, keptFair := kept(1)
	for _, exponent := range []float64{0.5, 2} {
		bent, keptBent := kept(exponent)
		require.Equal(t, keptFair, keptBent)
		for i := range fair {
			require.InDelta(t, odds(fair[i])*exponent, odds(bent[i]), 1e-9)
		}
	}
}

// A run says how far its prices can be trusted.
func TestWorstGrade(t *testing.T) {
	table := exact()
	table.Provenance.Restore.Grade = costmodel.Estimated
	keep := request(1, func(r *Request) { r.Prefix, r.PrefixTokens = 7, 32 })
	again := request(2, func(r *Request) { r.Prefix, r.PrefixTokens = 7, 32 })
	d := server(DefaultWorld(), keep, again)
	d.truth.table = table
	do(t, d, whole(0, keep))
	require.Equal(t, costmodel.Measured, d.Worst())
	do(t, d, core.Action{Kind: core.Begin, Slot: 1, ID: 2, Rows: 64, First: true})
	require.Equal(t, costmodel.Estimated, d.Worst(), "restoring is estimated")
	do(t, d, round(window(0, 64, 9)))
	require.Equal(t, costmodel.Extrapolated, d.Worst(), "more rows than a launch holds")
}

// Costs without bound end a run with an error before its times overflow.
func TestEndOfTime(t *testing.T) {
	w := DefaultWorld()
	w.Chunk, w.Heat, w.Noise = 1000, 100, 2
	r := request(1, func(r *Request) { r.Prompt = 1 << 30 })
	d := server(w, r)
	a := whole(0, r)
	var o core.Outcome
	require.ErrorIs(t, d.Do(&a, &o), errEndOfTime)
	require.GreaterOrEqual(t, d.Now(), core.Micros(0))
}
