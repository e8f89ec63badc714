package tune

import (
	"math"
	"slices"
	"strconv"
)

// mostRefined bounds the seeds of a refinement, and refineSteps its points in
// one dimension.
const (
	mostRefined = 32
	refineSteps = 10
)

// golden is the part of a bracket at which golden section looks.
var golden = (math.Sqrt(5) - 1) / 2

// refine looks between the tried values of each number that the winner sets,
// and moves there if that is better beyond the noise.
func (s *search) refine() {
	for i := range s.space.Dims {
		d := &s.space.Dims[i]
		if at, ok := number(s.winner.point[i]); ok && d.Refinable() && s.room() > 0 {
			low, high := d.bracket(at)
			s.section(i, low, high)
		}
	}
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

// section is a golden section of one dimension between two numbers. A figure
// that is not of one valley leads it to some value, never to a worse winner.
func (s *search) section(dim int, low, high float64) {
	d := &s.space.Dims[dim]
	grain := d.grain(low, high)
	n := s.depth()
	origin := s.winner
	best := origin
	try := func(x float64) *trial {
		t := s.get(origin.point.With(dim, d.text(x, grain)))
		if t == nil || len(s.extend([]*trial{t}, n, searching)) == 0 {
			return nil
		}
		best = slices.MinFunc([]*trial{best, t}, before(n))
		return t
	}
	a, b := high-float64(golden*(high-low)), low+float64(golden*(high-low))
	ta, tb := try(a), try(b)
	for range refineSteps {
		if ta == nil || tb == nil || high-low <= grain {
			break
		}
		if before(n)(ta, tb) <= 0 {
			high, b, tb = b, a, ta
			a = high - float64(golden*(high-low))
			ta = try(a)
		} else {
			low, a, ta = a, b, tb
			b = low + float64(golden*(high-low))
			tb = try(b)
		}
	}
	if s.better(best, s.winner, n) {
		s.winner = best
	}
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
