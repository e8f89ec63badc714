package report

import (
	"math"
	"strconv"

	"github.com/tfsim/tfsim/core"
)

// tick is a labelled place on an axis, from 0 to 1 of its length.
type tick struct {
	at   float64
	text string
}

// timeSteps are the distances between ticks of time, in microseconds.
var timeSteps = func() []core.Micros {
	var out []core.Micros
	for unit := core.Micros(1); unit <= 1_000_000; unit *= 10 {
		out = append(out, unit, 2*unit, 5*unit)
	}
	for _, s := range []core.Micros{10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 4 * 3600, 8 * 3600, 24 * 3600} {
		out = append(out, s*1_000_000)
	}
	return out
}()

// timeTicks puts at most n ticks, about, on a stretch of time.
func timeTicks(from, to core.Micros, n int) []tick {
	length := to - from
	if length <= 0 {
		return nil
	}
	step := timeSteps[len(timeSteps)-1]
	for _, s := range timeSteps {
		if length/s <= core.Micros(n) {
			step = s
			break
		}
	}
	for length/step > core.Micros(n) {
		step *= 2
	}
	var out []tick
	for t := (from + step - 1) / step * step; t <= to; t += step {
		out = append(out, tick{float64(t-from) / float64(length), clockText(t, step, to)})
	}
	return out
}

// clockText is a time with the unit that suits steps of step up to most.
func clockText(t, step, most core.Micros) string {
	unit, name := core.Micros(1), "µs"
	switch {
	case step >= 3_600_000_000:
		unit, name = 3_600_000_000, "h"
	case step >= 60_000_000:
		unit, name = 60_000_000, "min"
	case most >= 1_000_000 && step >= 1_000:
		unit, name = 1_000_000, "s"
	case step >= 1_000:
		unit, name = 1_000, "ms"
	}
	return strconv.FormatFloat(float64(t)/float64(unit), 'f', -1, 64) + " " + name
}

// logScale maps spans to a logarithmic axis.
type logScale struct{ low, high float64 } // exponents of ten

// newLogScale covers the spans with round numbers.
func newLogScale(least, most core.Micros) logScale {
	s := logScale{roundExponent(least, false), roundExponent(most, true)}
	if s.high-s.low < 0.5 {
		s.high = s.low + 1
	}
	return s
}

// roundExponent is that of the next of 1, 2, 5 times a power of ten.
func roundExponent(v core.Micros, up bool) float64 {
	v = max(v, 1)
	best := core.Micros(1)
	for unit := core.Micros(1); unit <= v; unit *= 10 {
		for _, m := range []core.Micros{1, 2, 5, 10} {
			if unit*m <= v {
				best = unit * m
			} else if up && best < v {
				return math.Log10(float64(unit * m))
			}
		}
	}
	return math.Log10(float64(best))
}

func (s logScale) at(v core.Micros) float64 {
	return (math.Log10(float64(max(v, 1))) - s.low) / (s.high - s.low)
}

// ticks are the powers of ten, or 1, 2, 5 of each where those are few.
func (s logScale) ticks() []tick {
	steps := []core.Micros{1}
	switch decades := s.high - s.low; {
	case decades <= 1.8:
		steps = []core.Micros{1, 2, 5}
	case decades <= 2.5:
		steps = []core.Micros{1, 3}
	}
	var out []tick
	const slack = 1e-9
	for unit := core.Micros(1); float64(unit) <= math.Pow(10, s.high)*(1+slack) && unit < 1e15; unit *= 10 {
		for _, m := range steps {
			if at := s.at(unit * m); at >= -slack && at <= 1+slack {
				out = append(out, tick{min(max(at, 0), 1), spanLabel(unit * m)})
			}
		}
	}
	return out
}

func spanLabel(t core.Micros) string {
	switch {
	case t >= 1_000_000:
		return strconv.FormatFloat(float64(t)/1e6, 'f', -1, 64) + " s"
	case t >= 1_000:
		return strconv.FormatFloat(float64(t)/1e3, 'f', -1, 64) + " ms"
	default:
		return strconv.FormatInt(int64(t), 10) + " µs"
	}
}

// valueTicks are round numbers from 0 to at least most.
func valueTicks(most float64, n int) (ticks []tick, top float64) {
	if !(most > 0) {
		most = 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(most/float64(n))))
	step := 10 * unit
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m*unit*float64(n) >= most*(1-1e-9) {
			step = m * unit
			break
		}
	}
	steps := math.Ceil(most/step - 1e-9)
	for i := 0.0; i <= steps; i++ {
		ticks = append(ticks, tick{i / steps, strconv.FormatFloat(i*step, 'g', 4, 64)})
	}
	return ticks, steps * step
}
