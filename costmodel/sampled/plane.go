package sampled

import (
	"math"
	"slices"
)

// plane is a fit of a constant and some factors by least squares of the relative
// errors: a short piece of work is to be told as well as a long one. Two passes
// leave out what is far from the first.
type plane struct {
	factors int
	above   bool // the constant, too, is never below zero
	y       []float64
	x       [][]float64
}

func newPlane(factors int) *plane { return &plane{factors: factors} }

func (p *plane) add(y float64, x ...float64) {
	p.y = append(p.y, y)
	p.x = append(p.x, append([]float64{1}, x...))
}

// solve gives the constant and the factors. A factor that the samples do not
// tell, or that would be below zero, is 0; the others are fitted without it.
func (p *plane) solve() []float64 {
	use := make([]bool, p.factors+1)
	for i := range use {
		use[i] = i == 0 || p.varies(i)
	}
	weights := make([]float64, len(p.y))
	for i := range weights {
		weights[i] = p.weight(i)
	}
	var k []float64
	for range 3 {
		k = p.positive(use, weights)
		p.reweigh(k, weights)
	}
	return k
}

func (p *plane) varies(i int) bool {
	for _, x := range p.x {
		if x[i] != p.x[0][i] {
			return true
		}
	}
	return false
}

// positive drops the most negative factor until none is.
func (p *plane) positive(use []bool, weights []float64) []float64 {
	use = slices.Clone(use)
	for {
		k := p.least(use, weights)
		worst := -1
		for i := range k {
			if k[i] < 0 && (i > 0 || p.above) && (worst < 0 || k[i] < k[worst]) {
				worst = i
			}
		}
		if worst < 0 {
			return k
		}
		use[worst] = false
	}
}

// reweigh lets samples far from the plane count for little.
func (p *plane) reweigh(k, weights []float64) {
	off := make([]float64, len(p.y))
	for i, x := range p.x {
		off[i] = math.Abs(p.y[i]-dot(k, x)) / p.size(i)
	}
	scale := max(3*median(slices.Clone(off)), 1e-6)
	for i := range weights {
		weights[i] = p.weight(i) / max(1, off[i]/scale)
	}
}

// size is what a sample's error is held against, weight what that makes it
// count.
func (p *plane) size(i int) float64 { return max(math.Abs(p.y[i]), 1e-3) }

func (p *plane) weight(i int) float64 { return 1 / (p.size(i) * p.size(i)) }

// least solves the normal equations, with a little added to the diagonal so
// that factors which go together share what they explain.
func (p *plane) least(use []bool, weights []float64) []float64 {
	n := p.factors + 1
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
	}
	for s, x := range p.x {
		for i := range n {
			for j := range n {
				a[i][j] += weights[s] * x[i] * x[j]
			}
			a[i][n] += weights[s] * x[i] * p.y[s]
		}
	}
	for i := range n {
		a[i][i] += 1e-9 * (a[i][i] + 1)
		if !use[i] {
			for j := range n {
				a[i][j], a[j][i] = 0, 0
			}
			a[i][i], a[i][n] = 1, 0
		}
	}
	return eliminate(a)
}

// eliminate solves a system of n rows of n+1 numbers.
func eliminate(a [][]float64) []float64 {
	n := len(a)
	for i := range n {
		best := i
		for r := i + 1; r < n; r++ {
			if math.Abs(a[r][i]) > math.Abs(a[best][i]) {
				best = r
			}
		}
		a[i], a[best] = a[best], a[i]
		if a[i][i] == 0 {
			continue
		}
		for r := range n {
			if r == i {
				continue
			}
			f := a[r][i] / a[i][i]
			for c := i; c <= n; c++ {
				a[r][c] -= f * a[i][c]
			}
		}
	}
	k := make([]float64, n)
	for i := range k {
		if a[i][i] != 0 {
			k[i] = a[i][n] / a[i][i]
		}
	}
	return k
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	slices.Sort(x)
	return x[len(x)/2]
}

// typical is the median of a few, and the mean of more, where what is over twice
// the median counts as that: what a while of work takes goes by the mean, and a
// stall says nothing of the work.
func typical(x []float64) float64 {
	const few = 20
	middle := median(x)
	if len(x) < few {
		return middle
	}
	most, sum := 2*middle, 0.0
	for _, v := range x {
		sum += min(v, most)
	}
	return sum / float64(len(x))
}

// round leaves a tenth of a microsecond.
func round(ms float64) float64 { return math.Round(ms*1e4) / 1e4 }
