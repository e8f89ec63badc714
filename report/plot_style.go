package report

import (
	"image/color"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// armColours are those of the page in its light form.
var armColours = [...]color.RGBA{
	{0x2f, 0x6f, 0xb7, 0xff}, {0xc4, 0x50, 0x1b, 0xff}, {0x11, 0x83, 0x5b, 0xff}, {0x9a, 0x4f, 0x93, 0xff},
	{0x8a, 0x6d, 0x00, 0xff}, {0x1d, 0x8e, 0xa6, 0xff}, {0x5b, 0x5f, 0x66, 0xff}, {0xc0, 0x30, 0x6b, 0xff},
}

// armDashes tell arms apart without colour.
var armDashes = [...][]vg.Length{
	nil, {6, 2}, {2, 2}, {7, 2, 2, 2}, nil, {4, 3}, {1, 2}, {10, 3},
}

var (
	inkColour  = color.RGBA{0x1b, 0x1f, 0x24, 0xff}
	dimColour  = color.RGBA{0x57, 0x60, 0x6a, 0xff}
	gridColour = color.RGBA{0xd5, 0xda, 0xe0, 0xff}
)

func armColour(i int) color.Color { return armColours[i%len(armColours)] }

func armLine(i int) draw.LineStyle {
	return draw.LineStyle{Color: armColour(i), Width: 1.6, Dashes: armDashes[i%len(armDashes)]}
}

func sans(size vg.Length, bold bool) font.Font {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return f
}

func textStyle(size vg.Length, bold bool, align text.XAlignment) text.Style {
	return text.Style{Color: inkColour, Font: sans(size, bold), XAlign: align, Handler: plot.DefaultTextHandler}
}

// The legend's entries: their width, and how many a line has.
const (
	legendSlot vg.Length = 155
	legendEach int       = 6
)

func legendLines(arms []string) int {
	return (len(arms) + legendEach - 1) / legendEach
}

func drawLegend(c draw.Canvas, top vg.Length, arms []string) vg.Length {
	for i, a := range arms {
		x := 14 + legendSlot*vg.Length(i%legendEach)
		y := top - plotLegend*vg.Length(i/legendEach) - 10
		c.StrokeLine2(armLine(i), x, y, x+24, y)
		c.FillText(textStyle(10, false, draw.XLeft), vg.Point{X: x + 30, Y: y - 3.5}, a)
	}
	return top - plotLegend*vg.Length(legendLines(arms))
}
