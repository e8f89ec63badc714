package report

import (
	"fmt"
	"strings"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
)

// The charts' place on their canvas, in units.
const (
	chartLeft, chartRight = 44, 350
	chartTop, chartBottom = 12, 188
)

// chart is lines over two axes.
type chart struct {
	Title, XLabel, YLabel string
	Summary               string
	X, Y                  []chartTick
	Lines                 []chartLine
}

type chartTick struct {
	At   string
	Text string
}

type chartLine struct {
	Index int // of the arm
	Arm   string
	D     string
	Dots  []dot
}

type dot struct{ X, Y, Title string }

func chartX(at float64) string { return unit1(chartLeft + at*(chartRight-chartLeft)) }
func chartY(at float64) string { return unit1(chartBottom - at*(chartBottom-chartTop)) }
func unit1(v float64) string   { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

// series is one arm's line.
type series struct {
	index  int
	arm    string
	spread *spread
}

// cumulative draws the part of the spans that are at most so long, nil
// without any.
func cumulative(title, xlabel string, list []series) *chart {
	least, most := core.Never, core.Micros(0)
	for _, s := range list {
		if s.spread.n > 0 {
			least, most = min(least, s.spread.least), max(most, s.spread.most)
		}
	}
	if least == core.Never {
		return nil
	}
	scale := newLogScale(least, most)
	c := &chart{Title: title, XLabel: xlabel, YLabel: "part of all"}
	for _, k := range scale.ticks() {
		c.X = append(c.X, chartTick{chartX(k.at), k.text})
	}
	for _, p := range []int{0, 25, 50, 75, 100} {
		c.Y = append(c.Y, chartTick{chartY(float64(p) / 100), fmt.Sprintf("%d%%", p)})
	}
	var words []string
	for _, s := range list {
		if s.spread.n == 0 {
			continue
		}
		c.Lines = append(c.Lines, chartLine{Index: s.index, Arm: s.arm, D: stairs(s.spread, scale)})
		words = append(words, fmt.Sprintf("%s: median %s, at most %s", s.arm, microsText(s.spread.percentile(50)), microsText(s.spread.most)))
	}
	c.Summary = strings.Join(words, "; ")
	return c
}

// stairs is the path of a distribution; steps that cannot be seen are left
// out.
func stairs(s *spread, scale logScale) string {
	var d strings.Builder
	points := s.points()
	fmt.Fprintf(&d, "M%s %s", chartX(scale.at(points[0].value)), chartY(0))
	var lastX, lastY float64
	for i, p := range points {
		x, y := scale.at(p.value), float64(p.upTo)/float64(s.n)
		if i > 0 && i < len(points)-1 && x-lastX < 0.002 && y-lastY < 0.004 {
			continue
		}
		fmt.Fprintf(&d, "H%sV%s", chartX(x), chartY(y))
		lastX, lastY = x, y
	}
	fmt.Fprintf(&d, "H%s", chartX(1))
	return d.String()
}

// byStreams draws the tokens a second of rounds against the replies in them,
// nil unless some arm has rounds of different sizes.
func byStreams(arms []string, runs []*Run) *chart {
	const enough = 5 // rounds for a point
	sums := make([][]stream, len(arms))
	for _, r := range runs {
		for i, a := range arms {
			if a != r.Place.Arm {
				continue
			}
			for n, s := range r.streams {
				for len(sums[i]) <= n {
					sums[i] = append(sums[i], stream{})
				}
				sums[i][n].rounds += s.rounds
				sums[i][n].tokens += s.tokens
				sums[i][n].wall += s.wall
			}
		}
	}
	rate := func(s stream) float64 { return float64(s.tokens) * 1e6 / float64(s.wall) }
	most, widest, varied := 0.0, 0, false
	for _, list := range sums {
		sizes := 0
		for n, s := range list {
			if s.rounds >= enough && s.wall > 0 {
				most, widest = max(most, rate(s)), max(widest, n)
				sizes++
			}
		}
		varied = varied || sizes > 1
	}
	if !varied {
		return nil
	}
	ticks, top := valueTicks(most, 5)
	c := &chart{Title: "Throughput by streams", XLabel: "replies in the round", YLabel: "tokens/s of rounds and passes"}
	for _, k := range ticks {
		c.Y = append(c.Y, chartTick{chartY(k.at), k.text})
	}
	place := func(n int) float64 { return float64(n-1) / float64(max(widest-1, 1)) }
	step := (widest + 7) / 8
	for n := 1; n <= widest; n += step {
		c.X = append(c.X, chartTick{chartX(place(n)), fmt.Sprint(n)})
	}
	var words []string
	for i, list := range sums {
		line := chartLine{Index: i, Arm: arms[i]}
		var d strings.Builder
		var said []string
		for n, s := range list {
			if s.rounds < enough || s.wall <= 0 {
				continue
			}
			x, y := chartX(place(n)), chartY(rate(s)/top)
			verb := "L"
			if d.Len() == 0 {
				verb = "M"
			}
			fmt.Fprintf(&d, "%s%s %s", verb, x, y)
			text := fmt.Sprintf("%d replies: %s tokens/s", n, result.Short(rate(s)))
			line.Dots = append(line.Dots, dot{x, y, arms[i] + ", " + text})
			said = append(said, text)
		}
		if d.Len() == 0 {
			continue
		}
		line.D = d.String()
		c.Lines = append(c.Lines, line)
		words = append(words, arms[i]+": "+strings.Join(said, ", "))
	}
	c.Summary = strings.Join(words, "; ")
	return c
}
