package sampled

import (
	"math"

	"github.com/tfsim/tfsim/costmodel"
)

// Launch is a launch that was timed: Context is the rows in the caches of its
// windows, as the table counts them, Sampled the rows drawn at a temperature.
// Cold counts the first Colds launches after a prompt step from 1, and is 0 for
// others.
type Launch struct {
	Windows, Rows, Context, Sampled, Cold int
	Ms                                    float64
}

// Colds is how many launches after a prompt step are told from others: some
// rounds of a small model on a CPU that has run prompt rows are slow.
const Colds = 4

// settled are the launches that tell what their shapes cost, cold those that
// tell what a step before them adds. Where a shape was timed after steps alone,
// those tell what it costs.
func (s *Set) settled() (of, cold []Launch) {
	type shape struct{ windows, rows int }
	known := map[shape]bool{}
	for _, l := range s.Launches {
		if l.Cold == 0 {
			known[shape{l.Windows, l.Rows}] = true
		}
	}
	for _, l := range s.Launches {
		if l.Cold > 0 && known[shape{l.Windows, l.Rows}] {
			cold = append(cold, l)
		} else {
			of = append(of, l)
		}
	}
	return of, cold
}

// after is what the launches after a step cost beyond what the table says of
// them, in ms by their place.
func after(t *costmodel.Table, cold []Launch) costmodel.Curve {
	var beyond [Colds][]float64
	for _, l := range cold {
		if l.Cold <= Colds {
			beyond[l.Cold-1] = append(beyond[l.Cold-1], l.Ms-launchPrice(t, l))
		}
	}
	var curve costmodel.Curve
	for i, ms := range beyond {
		if len(ms) < enough {
			break
		}
		curve = append(curve, costmodel.Point{At: i + 1, Ms: round(max(median(ms), 0))})
	}
	return curve
}

// noise is how far launches are spread about what the table says of them; a few
// stalls leave it as it is.
func noise(t *costmodel.Table, timed []Launch) float64 {
	var off []float64
	for _, l := range timed {
		if ms := launchPrice(t, l); ms > 0 && l.Ms > 0 {
			off = append(off, math.Log(l.Ms/ms))
		}
	}
	middle := median(off)
	for i := range off {
		off[i] = math.Abs(off[i] - middle)
	}
	const normal = 1.4826 // sigma over the median distance of normal values
	return min(round(normal*median(off)), 2)
}

// launchPrice is what the table says that a launch takes, in ms.
func launchPrice(t *costmodel.Table, l Launch) float64 {
	n, _ := t.Launch(costmodel.Load{
		Windows: l.Windows, Rows: l.Rows, Context: int64(l.Context), Longest: int64(l.Context / l.Windows), Sampled: l.Sampled,
	})
	return float64(n) / 1e6
}
