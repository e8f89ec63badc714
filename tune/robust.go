package tune

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tfsim/tfsim/tune/goal"
)

// Robust says how the figures of several worlds become one: their mean (the
// zero value), the worst, or a quantile towards the worst.
type Robust struct {
	// Quantile is over 0 and at most 1, which is the worst; 0 is the mean.
	Quantile float64
}

// ParseRobust reads mean, worst or pNN.
func ParseRobust(text string) (Robust, error) {
	switch text {
	case "", "mean":
		return Robust{}, nil
	case "worst":
		return Robust{1}, nil
	}
	if digits, ok := strings.CutPrefix(text, "p"); ok {
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= 99 {
			return Robust{float64(n) / 100}, nil
		}
	}
	return Robust{}, fmt.Errorf("%q: want mean, worst or p1 to p99", text)
}

func (r Robust) String() string {
	switch r.Quantile {
	case 0:
		return "mean"
	case 1:
		return "worst"
	}
	return "p" + strconv.FormatFloat(math.Round(r.Quantile*100), 'f', 0, 64)
}

// of is one cost of those of the worlds.
func (r Robust) of(costs []float64) float64 {
	if slices.Contains(costs, math.Inf(1)) {
		return math.Inf(1)
	}
	if r.Quantile > 0 {
		slices.Sort(costs)
		return goal.Quantile(costs, r.Quantile)
	}
	sum := 0.0
	for _, c := range costs {
		sum += c
	}
	return sum / float64(len(costs))
}

// part is one part of those of the worlds; a quantile's is that of the world
// at it or next beyond.
func (r Robust) part(parts []Part) Part {
	if r.Quantile > 0 {
		slices.SortStableFunc(parts, func(a, b Part) int {
			switch {
			case a.Excess < b.Excess:
				return -1
			case a.Excess > b.Excess:
				return 1
			}
			return 0
		})
		return parts[int(math.Ceil(float64(r.Quantile*float64(len(parts)))))-1]
	}
	var mean Part
	n := float64(len(parts))
	for _, p := range parts {
		mean.Value += p.Value / n
		mean.Bound += p.Bound / n
		mean.Excess += p.Excess / n
	}
	return mean
}
