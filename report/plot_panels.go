package report

import (
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tfsim/tfsim/sim/result"
)

// panel is one chart of a picture.
type panel struct {
	*plot.Plot
	empty string // what to say in place of a chart
}

func newPanel(title, x, y string) *panel {
	p := &panel{Plot: plot.New()}
	p.Title.Text = title
	p.Title.TextStyle = textStyle(10.5, true, draw.XCenter)
	p.Title.Padding = 6
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = sans(9, false)
		a.Label.TextStyle.Color = dimColour
		a.Tick.Label.Font = sans(9, false)
		a.Tick.Label.Color = dimColour
		a.Color, a.Tick.Color = dimColour, dimColour
		a.Tick.Length = 3
		a.Padding = 0
	}
	return p
}

func (p *panel) draw(c draw.Canvas) {
	if p.empty == "" {
		p.Draw(c)
		return
	}
	c.FillText(p.Title.TextStyle, vg.Point{X: c.Center().X, Y: c.Max.Y - 12}, p.Title.Text)
	style := textStyle(9, false, draw.XCenter)
	style.Color = dimColour
	c.FillText(style, c.Center(), p.empty)
}

func (p *panel) grid(vertical, horizontal bool) {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = nil, nil
	if vertical {
		g.Vertical.Color, g.Vertical.Width = gridColour, 0.5
	}
	if horizontal {
		g.Horizontal.Color, g.Horizontal.Width = gridColour, 0.5
	}
	p.Add(g)
}

// constTicks are ticks at given places.
func constTicks(list []tick, scale func(tick) float64) plot.ConstantTicks {
	var out plot.ConstantTicks
	for _, k := range list {
		out = append(out, plot.Tick{Value: scale(k), Label: k.text})
	}
	return out
}

// timesPanel has bars by arm: when each reply was done, or, where there are
// too many to tell apart, the first tokens.
func timesPanel(arms []string, entries []*result.Entry) *panel {
	title := "Reply done (s)"
	var groups []string
	var value func(e *result.Entry, group int) float64
	if ids := result.Shown(entries); len(ids) > 0 {
		groups = ids
		value = func(e *result.Entry, g int) float64 {
			if q := e.Request(ids[g]); q != nil {
				return q.Done.Value
			}
			return 0
		}
	} else {
		title = "First token (s)"
		groups = []string{"p50", "p95", "p99"}
		value = func(e *result.Entry, g int) float64 {
			v, _ := e.Totals.Metric("ttft_s." + groups[g])
			return v.Value
		}
	}
	p := newPanel(title, "", "")
	p.grid(false, true)
	most := 0.0
	width := vg.Length(190) / vg.Length(len(groups)*(len(entries)+1))
	for k, e := range entries {
		values := make(plotter.Values, len(groups))
		for g := range groups {
			values[g] = value(e, g)
			most = max(most, values[g])
		}
		bars, err := plotter.NewBarChart(values, width)
		if err != nil {
			continue // only of no values
		}
		bars.Color = armColour(indexOf(arms, e.Arm))
		bars.LineStyle.Width = 0
		bars.Offset = width * (vg.Length(k) - vg.Length(len(entries)-1)/2)
		p.Add(bars)
	}
	if most == 0 {
		p.empty = "no reply was done"
		return p
	}
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = clip(g, 60/len(groups)+4)
	}
	p.NominalX(names...)
	p.X.Min, p.X.Max = -0.5, float64(len(groups))-0.5
	ticks, top := valueTicks(most, 5)
	p.Y.Min, p.Y.Max = 0, top
	p.Y.Tick.Marker = constTicks(ticks, func(k tick) float64 { return k.at * top })
	return p
}

// gapsPanel has the distribution of gaps by arm.
func gapsPanel(s *Study, arms []string, entries []*result.Entry) *panel {
	p := newPanel("Gaps between deliveries: part at most so long", "", "")
	var runs []*Run
	for _, e := range entries {
		if r := s.run(e); r != nil && r.gaps.n > 0 {
			runs = append(runs, r)
		}
	}
	if runs == nil {
		p.empty = "no gaps"
		return p
	}
	least, most := runs[0].gaps.least, runs[0].gaps.most
	for _, r := range runs {
		least, most = min(least, r.gaps.least), max(most, r.gaps.most)
	}
	scale := newLogScale(least, most)
	p.grid(true, true)
	for _, r := range runs {
		line := plotter.Line{XYs: plotter.XYs{}, LineStyle: armLine(indexOf(arms, r.Place.Arm))}
		last := 0.0
		for _, pt := range r.gaps.points() {
			x, y := scale.at(pt.value), float64(pt.upTo)/float64(r.gaps.n)
			line.XYs = append(line.XYs, plotter.XY{X: x, Y: last}, plotter.XY{X: x, Y: y})
			last = y
		}
		line.XYs = append(line.XYs, plotter.XY{X: 1, Y: 1})
		p.Add(&line)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.X.Tick.Marker = constTicks(scale.ticks(), func(k tick) float64 { return k.at })
	p.Y.Tick.Marker = constTicks([]tick{{0, "0%"}, {0.25, "25%"}, {0.5, "50%"}, {0.75, "75%"}, {1, "100%"}}, func(k tick) float64 { return k.at })
	return p
}

// ratesPanel has a bar of throughput for each arm.
func ratesPanel(arms []string, entries []*result.Entry) *panel {
	p := newPanel("Throughput of replies (tokens/s)", "", "")
	p.grid(true, false)
	n := len(entries)
	most := 0.0
	names := make([]string, n)
	labels := plotter.XYLabels{}
	for k, e := range entries {
		v := e.Totals.DecodeRate
		most = max(most, v.Value)
		at := n - 1 - k // the first arm is at the top
		names[at] = clip(e.Arm, 18)
		bar, err := plotter.NewBarChart(plotter.Values{v.Value}, min(vg.Length(110)/vg.Length(n), 22))
		if err != nil {
			continue // only of no values
		}
		bar.Horizontal, bar.XMin = true, float64(at)
		bar.Color = armColour(indexOf(arms, e.Arm))
		bar.LineStyle.Width = 0
		p.Add(bar)
		if v.Valid {
			labels.XYs = append(labels.XYs, plotter.XY{X: v.Value, Y: float64(at)})
			labels.Labels = append(labels.Labels, result.Short(v.Value))
		}
	}
	if most == 0 {
		p.empty = "no reply had two tokens"
		return p
	}
	if l, err := plotter.NewLabels(labels); err == nil {
		for i := range l.TextStyle {
			l.TextStyle[i] = textStyle(9, false, draw.XLeft)
			l.TextStyle[i].YAlign = draw.YCenter
		}
		l.Offset.X = 4
		p.Add(l)
	}
	p.NominalY(names...)
	ticks, top := valueTicks(most*1.12, 4)
	p.X.Min, p.X.Max = 0, top
	p.X.Tick.Marker = constTicks(ticks, func(k tick) float64 { return k.at * top })
	p.Y.Min, p.Y.Max = -0.6, float64(n)-0.4
	return p
}

// clip shortens a name to n letters, about.
func clip(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= n {
		return string(r)
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}
