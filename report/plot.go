package report

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/tfsim/tfsim/sim/result"
)

// Format of a picture.
type Format string

// The formats.
const (
	SVG Format = "svg"
	PNG Format = "png"
)

// FormatOf is the format that a file's name asks for.
func FormatOf(path string) (Format, error) {
	ext := filepath.Ext(path)
	switch strings.ToLower(ext) {
	case ".svg":
		return SVG, nil
	case ".png":
		return PNG, nil
	case "":
		return "", fmt.Errorf("%s: a picture's name ends in .svg or .png", path)
	default:
		return "", fmt.Errorf("%s: no format %q; use .svg or .png", path, ext)
	}
}

// mostRows is the number of cases that a picture has room for.
const mostRows = 40

// The picture's measures.
const (
	plotWidth  = 960 * vg.Length(1)
	plotHead   = 34 * vg.Length(1)
	plotRow    = 246 * vg.Length(1)
	plotLegend = 20 * vg.Length(1)
	plotDPI    = 144
)

// WritePlot draws a row of charts for each case: when replies are done (of a
// workload: the first tokens), the gaps, and the throughput, by arm.
func WritePlot(w io.Writer, format Format, studies []*Study) error {
	rows := 0
	for _, s := range studies {
		rows += len(s.cases())
	}
	switch {
	case rows == 0:
		return errors.New("nothing to draw")
	case rows > mostRows:
		return fmt.Errorf("%d cases; a picture has room for %d, choose some with --case", rows, mostRows)
	}
	height := plotRow * vg.Length(rows)
	for _, s := range studies {
		height += plotHead + plotLegend*vg.Length(legendLines(s.arms()))
	}
	type canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	var c canvas
	switch format {
	case SVG:
		c = vgsvg.New(plotWidth, height)
	case PNG:
		c = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(plotWidth, height), vgimg.UseDPI(plotDPI))}
	default:
		return fmt.Errorf("no format %q; use svg or png", format)
	}
	all := draw.New(c)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	top := all.Max.Y
	for _, s := range studies {
		top = drawStudy(all, top, s)
	}
	_, err := c.WriteTo(w)
	return err
}

// drawStudy draws from top down and gives where it ended.
func drawStudy(all draw.Canvas, top vg.Length, s *Study) vg.Length {
	title := s.Document.Scenario
	if s.Document.Machine != "" {
		title += " on " + s.Document.Machine
	}
	all.FillText(textStyle(15, true, draw.XLeft), vg.Point{X: 14, Y: top - 24}, title)
	top -= plotHead
	arms := s.arms()
	top = drawLegend(all, top, arms)
	for _, entries := range s.cases() {
		row := draw.Crop(all, 14, -14, top-plotRow-all.Min.Y, top-all.Max.Y)
		drawRow(row, s, arms, entries)
		top -= plotRow
	}
	return top
}

func drawRow(c draw.Canvas, s *Study, arms []string, entries []*result.Entry) {
	title := entries[0].Case
	if entries[0].World != "" {
		title += " (world " + entries[0].World + ")"
	}
	c.FillText(textStyle(12, true, draw.XLeft), vg.Point{X: c.Min.X, Y: c.Max.Y - 16}, title)
	panels := draw.Tiles{Cols: 3, Rows: 1, PadX: 18}
	body := draw.Crop(c, 0, 0, 4, -24)
	for i, p := range []*panel{timesPanel(arms, entries), gapsPanel(s, arms, entries), ratesPanel(arms, entries)} {
		p.draw(panels.At(body, i, 0))
	}
}
