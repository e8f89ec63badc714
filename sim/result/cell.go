package result

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// cell is a figure and its ratio to the first arm's, as printed.
type cell struct {
	value, ratio string
	// verdict is 1 for better than the first arm by more than notable, -1 for
	// worse.
	verdict int
}

// notable is the part by which a figure must differ to be coloured.
const notable = 0.05

// cell prints the column's figure of an arm; the first arm has no ratio.
func (c column) cell(e, first *Entry) cell {
	v := c.figure(e)
	if !v.Valid {
		if c.absent != nil {
			if text := c.absent(e); text != "" {
				return cell{value: text}
			}
		}
		return cell{value: "–"}
	}
	out := cell{value: c.unit.format(v.Value)}
	base := c.figure(first)
	if e == first || c.better == 0 || !base.Valid {
		return out
	}
	r := ratio(v.Value, base.Value)
	if !r.Valid {
		return out
	}
	out.ratio = "(" + times(r.Value) + ")"
	switch {
	case r.Value > 1+notable:
		out.verdict = c.better
	case r.Value < 1-notable:
		out.verdict = -c.better
	}
	return out
}

// strip is a column ready to print: its title and one cell for each arm.
type strip struct {
	title string
	cells []cell
	// value and ratio are the widths of the two parts of a cell, ratio with
	// the space before it.
	value, ratio int
}

func newStrip(c column, arms []*Entry) strip {
	s := strip{title: c.title}
	for _, e := range arms {
		one := c.cell(e, arms[0])
		s.cells = append(s.cells, one)
		s.value = max(s.value, lipgloss.Width(one.value))
		if one.ratio != "" {
			s.ratio = max(s.ratio, 1+lipgloss.Width(one.ratio))
		}
	}
	s.widen(lipgloss.Width(c.title))
	return s
}

func (s *strip) width() int { return s.value + s.ratio }

// widen makes the strip at least so wide.
func (s *strip) widen(width int) { s.value += max(0, width-s.width()) }

// print gives a cell, aligned: values right, ratios right.
func (s *strip) print(p paint, i int) string {
	c := s.cells[i]
	value := c.value
	switch c.verdict {
	case 1:
		value = p.with(styleBetter, value)
	case -1:
		value = p.with(styleWorse, value)
	}
	return padLeft(value, s.value) + padLeft(p.with(styleDim, c.ratio), s.ratio)
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-lipgloss.Width(s))) + s
}

func padRight(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-lipgloss.Width(s)))
}
