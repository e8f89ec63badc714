package costmodel

import (
	"math"
	"slices"

	"github.com/tfsim/tfsim/core"
)

// Point is one entry of a curve: Ms milliseconds at At.
type Point struct {
	At int
	Ms float64
}

// Curve is a list of entries with At ascending, each once.
type Curve []Point

// Grid is a list of curves with At ascending, each once.
type Grid []Line

// Line is one curve of a grid.
type Line struct {
	At int
	Ms Curve
}

// nanos is ms as a price, rounded to the nearest nanosecond. Prices stop at
// 10^17 ns (three years), so that sums of them cannot overflow.
func nanos(ms float64) core.Nanos {
	return core.Nanos(math.Round(min(ms*1e6, 1e17)))
}

// between is the value at x on the line through (x0, y0) and (x1, y1).
// The conversions keep the product from being fused into the sum.
func between(x, x0, y0, x1, y1 float64) float64 {
	return y0 + float64((y1-y0)*float64((x-x0)/(x1-x0)))
}

// beyond is the value at x past the last two entries: their slope goes on,
// unless it falls, in which case the last value holds.
func beyond(x, x0, y0, x1, y1 float64) float64 {
	if y1 <= y0 {
		return y1
	}
	return between(x, x0, y0, x1, y1)
}

// jumps says that two neighbouring entries are too far apart to interpolate
// between. A jump of 0 means that none are.
func jumps(a, b, jump float64) bool {
	return jump > 0 && (a > float64(b*jump) || b > float64(a*jump))
}

// find is the index of the first entry at or after x, and whether it is at x.
func (c Curve) find(x float64) (int, bool) {
	lo, hi := 0, len(c)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if float64(c[mid].At) < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(c) && float64(c[lo].At) == x
}

// at is the curve's ms at x, and how it was come by: Measured for an entry
// itself and between equal ones, Estimated between others, Extrapolated
// outside them. Before the first entry the first value holds. Across a jump
// the dearer neighbour's value holds.
func (c Curve) at(x, jump float64) (float64, Grade) {
	i, exact := c.find(x)
	switch {
	case len(c) == 0:
		return 0, Extrapolated
	case exact:
		return c[i].Ms, Measured
	case i == 0:
		return c[0].Ms, Extrapolated
	case i < len(c):
		a, b := c[i-1], c[i]
		if jumps(a.Ms, b.Ms, jump) {
			return max(a.Ms, b.Ms), Estimated
		}
		if a.Ms == b.Ms {
			return a.Ms, Measured // a flat stretch holds what its ends hold
		}
		return between(x, float64(a.At), a.Ms, float64(b.At), b.Ms), Estimated
	case i == 1:
		return c[0].Ms, Extrapolated
	}
	a, b := c[i-2], c[i-1]
	return beyond(x, float64(a.At), a.Ms, float64(b.At), b.Ms), Extrapolated
}

// share is the curve's ms at x, proportional to x below the first entry, and
// 0 for an empty curve.
func (c Curve) share(x int) (float64, Grade) {
	if len(c) == 0 || x <= 0 {
		return 0, Measured
	}
	if first := c[0]; x < first.At {
		return float64(first.Ms * float64(x) / float64(first.At)), Estimated
	}
	return c.at(float64(x), 0)
}

// last is the largest key, 0 of an empty curve.
func (c Curve) last() int {
	if len(c) == 0 {
		return 0
	}
	return c[len(c)-1].At
}

func (c Curve) sort() {
	slices.SortFunc(c, func(a, b Point) int { return a.At - b.At })
}

func (g Grid) sort() {
	slices.SortFunc(g, func(a, b Line) int { return a.At - b.At })
}
