package tune

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/optimize"
)

// mostRefined bounds the seeds of a refinement, and refineSteps its points for
// each number.
const (
	mostRefined = 32
	refineSteps = 12
)

// refine looks between the tried values of the numbers that the winner sets,
// all together, and moves there if that is better beyond the noise.
func (s *search) refine() {
	origin, n := s.winner, s.depth()
	var axes []axis
	for i := range s.space.Dims {
		d := &s.space.Dims[i]
		if at, ok := number(origin.point[i]); ok && d.Refinable() {
			axes = append(axes, newAxis(i, d, at))
		}
	}
	if len(axes) == 0 || s.room() < n {
		return
	}
	start := make([]float64, len(axes))
	for k, a := range axes {
		start[k] = a.start
	}
	best := origin
	// The cost at x; where no more can be played, one that leads nowhere.
	at := func(x []float64) float64 {
		point := origin.point
		for k, a := range axes {
			point = point.With(a.dim, a.text(x[k]))
		}
		t := s.get(point)
		if t == nil || len(s.extend([]*trial{t}, n, searching)) == 0 {
			return nowhere
		}
		best = slices.MinFunc([]*trial{best, t}, before(n))
		return height(stand(t.samples[:n]))
	}
	// Its errors are of limits that were reached.
	_, _ = optimize.Minimize(optimize.Problem{Func: at}, start, &optimize.Settings{
		FuncEvaluations: refineSteps * len(axes), Converger: &optimize.FunctionConverge{Relative: s.least / 4, Iterations: 4 * len(axes)},
	}, &optimize.NelderMead{SimplexSize: 0.25, Reflection: 1, Expansion: 2, Contraction: 0.5, Shrink: 0.5})
	if s.better(best, s.winner, n) {
		s.winner = best
	}
}

// axis is a number to refine, from 0 to 1 between the tried values around it.
type axis struct {
	dim              int
	of               *Dim
	low, high, grain float64
	start            float64
}

func newAxis(i int, d *Dim, at float64) axis {
	a := axis{dim: i, of: d}
	a.low, a.high = d.bracket(at)
	a.grain = d.grain(a.low, a.high)
	a.start = (at - a.low) / (a.high - a.low)
	return a
}

// text is the value at x; beyond the bracket it is the bracket's end.
func (a *axis) text(x float64) string {
	return a.of.text(a.low+float64(min(max(x, 0), 1)*(a.high-a.low)), a.grain)
}

const (
	// nowhere is above all heights, brokenHeight above those of points whose
	// constraints hold.
	nowhere      = 1e300
	brokenHeight = 1e200
)

// height is a standing as one number to make small: the cost, and above all
// costs how far constraints are broken.
func height(s standing) float64 {
	switch {
	case s.broken > 0:
		return min(brokenHeight*(1+s.broken), nowhere)
	case math.IsInf(s.cost, 0):
		return nowhere
	}
	return s.cost
}

// bracket is between the values next to one, or the bounds.
func (d *Dim) bracket(at float64) (low, high float64) {
	low, high = d.Min, d.Max
	for _, text := range d.Values {
		if n, ok := number(text); ok && n < at {
			low = max(low, n)
		} else if ok && n > at {
			high = min(high, n)
		}
	}
	return min(low, at), max(high, at)
}

// better says that a beats b by what matters, beyond the noise, on n seeds.
func (s *search) better(a, b *trial, n int) bool {
	x, y := stand(a.samples[:n]), stand(b.samples[:n])
	if x.broken != y.broken || !y.holds() {
		return x.compare(y) < 0
	}
	d := sure.difference(b.samples[:n], a.samples[:n])
	return d.Low > 0 && d.Mean > s.matters(x.cost, y.cost)
}

// matters is the least difference of two figures that counts.
func matters(least, a, b float64) float64 {
	return float64(least * min(math.Abs(a), math.Abs(b)))
}

func (p *pool) matters(a, b float64) float64 { return matters(p.least, a, b) }

// depth is the number of seeds to compare the winner with others on.
func (s *search) depth() int { return max(1, min(len(s.winner.samples), mostRefined)) }

// grain is a round number that divides a bracket finely enough.
func (d *Dim) grain(low, high float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/40)))
	for _, f := range []float64{1, 2, 5, 10} {
		if float64(f*step) >= (high-low)/40 {
			return max(d.Grain, f*step)
		}
	}
	return d.Grain
}

// text is a number as a value of the setting, a multiple of the grain.
func (d *Dim) text(x, grain float64) string {
	x = math.Round(x/grain) * grain
	x = math.Round(min(max(x, d.Min), d.Max)*1e6) / 1e6
	if d.Grain == 1 {
		x = math.Round(x)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
