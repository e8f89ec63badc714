package tune

import (
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The picture's colours and size.
var (
	frontColor   = color.NRGBA{R: 0x1f, G: 0x77, B: 0xb4, A: 0xff}
	otherColor   = color.NRGBA{R: 0x99, G: 0x99, B: 0x99, A: 0x80}
	defaultColor = color.NRGBA{R: 0xd6, G: 0x27, B: 0x28, A: 0xff}
)

const plotWide, plotHigh = 640 * vg.Length(1), 440 * vg.Length(1)

// Draw draws the front, the default and the other candidates as svg or png.
func (a *FrontAnswer) Draw(w io.Writer, format string) error {
	p := plot.New()
	p.Title.Text = a.Scenarios[0].Name
	p.X.Label.Text, p.Y.Label.Text = a.Objectives[0], a.Objectives[1]
	p.Legend.Top = true
	add := func(name string, points plotter.XYs, c color.Color, radius vg.Length) error {
		if len(points) == 0 {
			return nil
		}
		s, err := plotter.NewScatter(points)
		if err != nil {
			return err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: c, Radius: radius, Shape: draw.CircleGlyph{}}
		p.Add(s)
		p.Legend.Add(name, s)
		return nil
	}
	var others, front, base plotter.XYs
	for _, at := range a.others {
		others = append(others, plotter.XY{X: at[0], Y: at[1]})
	}
	for _, r := range a.Front {
		front = append(front, plotter.XY{X: r.Values[0].Value, Y: r.Values[1].Value})
	}
	if d := a.Default; d != nil && d.Values[0].Valid && d.Values[1].Valid {
		base = append(base, plotter.XY{X: d.Values[0].Value, Y: d.Values[1].Value})
	}
	if err := add("tried", others, otherColor, 1.5); err != nil {
		return err
	}
	if len(front) > 1 {
		line, err := plotter.NewLine(front)
		if err != nil {
			return err
		}
		line.Color = frontColor
		p.Add(line)
	}
	if err := add("front", front, frontColor, 3); err != nil {
		return err
	}
	if err := add("default", base, defaultColor, 3); err != nil {
		return err
	}
	to, err := p.WriterTo(plotWide, plotHigh, format)
	if err != nil {
		return err
	}
	_, err = to.WriteTo(w)
	return err
}
