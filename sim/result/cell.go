package result

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Cell is a figure as a table prints it.
type Cell struct {
	// Value is the figure, Ratio that to the first arm's, Interval the 95% one
	// over several seeds; each "" where there is none.
	Value, Ratio, Interval string
	// Verdict is 1 for better than the first arm by more than 5%, -1 for worse.
	Verdict int
}

// notable is the part by which a figure must differ to be coloured.
const notable = 0.05

// Figure is the column's figure of an arm.
func (c Column) Figure(e *Entry) Num { return c.figure(e) }

// Cell prints the column's figure of an arm; the first arm has no ratio.
func (c Column) Cell(e, first *Entry) Cell {
	v := c.figure(e)
	if !v.Valid {
		if c.absent != nil {
			if text := c.absent(e); text != "" {
				return Cell{Value: text}
			}
		}
		return Cell{Value: "–"}
	}
	out := Cell{Value: c.unit.format(v.Value)}
	if ci := e.CI95[c.metric]; ci != nil && ci[0].Valid && ci[1].Valid {
		out.Interval = c.unit.format(ci[0].Value) + " to " + c.unit.format(ci[1].Value)
	}
	base := c.figure(first)
	if e == first || c.better == 0 || !base.Valid {
		return out
	}
	r := ratio(v.Value, base.Value)
	if !r.Valid {
		return out
	}
	out.Ratio = times(r.Value)
	switch {
	case r.Value > 1+notable:
		out.Verdict = c.better
	case r.Value < 1-notable:
		out.Verdict = -c.better
	}
	return out
}

// strip is a column ready to print: its title and one cell for each arm.
type strip struct {
	title string
	cells []Cell
	// value and ratio are the widths of the two parts of a cell, ratio with
	// the space before it.
	value, ratio int
}

func newStrip(c Column, arms []*Entry) strip {
	s := strip{title: c.Title}
	for _, e := range arms {
		one := c.Cell(e, arms[0])
		if one.Ratio != "" {
			one.Ratio = "(" + one.Ratio + ")"
		}
		s.cells = append(s.cells, one)
		s.value = max(s.value, lipgloss.Width(one.Value))
		if one.Ratio != "" {
			s.ratio = max(s.ratio, 1+lipgloss.Width(one.Ratio))
		}
	}
	s.widen(lipgloss.Width(c.Title))
	return s
}

func (s *strip) width() int { return s.value + s.ratio }

// widen makes the strip at least so wide.
func (s *strip) widen(width int) { s.value += max(0, width-s.width()) }

// print gives a cell, aligned: values right, ratios right.
func (s *strip) print(p paint, i int) string {
	c := s.cells[i]
	value := c.Value
	switch c.Verdict {
	case 1:
		value = p.with(styleBetter, value)
	case -1:
		value = p.with(styleWorse, value)
	}
	return padLeft(value, s.value) + padLeft(p.with(styleDim, c.Ratio), s.ratio)
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-lipgloss.Width(s))) + s
}

func padRight(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-lipgloss.Width(s)))
}
