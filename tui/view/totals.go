package view

import (
	"fmt"

	"charm.land/lipgloss/v2"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/tui/state"
)

// twoColumns is the width from which the totals stand in two columns.
const twoColumns = 44

// totalRows is the height of the totals with their heading.
func totalRows(width int) int {
	if width >= twoColumns {
		return 10
	}
	return 15
}

// drawTotals shows the figures of the whole run, and the prompts' share of
// time: promised and achieved.
func drawTotals(a area, s *Scene) {
	body := heading(a, "totals", s.Focus == Totals)
	st := s.State
	f := &st.Total
	drawShare(body.part(0, 0, body.Dx(), 2), s)
	busy, ok := st.BusyPart()
	two := body.Dx() >= twoColumns
	y := 2
	x, column := 0, body.Dx()
	if two {
		column = body.Dx()/2 - 1
	}
	row := func(label, value string, style Style) {
		body.field(x+1, y, column-lipgloss.Width(value)-2, Dim, label)
		body.part(x, y, column, 1).right(column, 0, style, value)
		y++
	}
	row("decode tok/s", rate(f.DecodeRate()), Strong)
	row("prompt tok/s", rate(f.PromptRate()), Strong)
	row("gap p50 p95", quantile(&f.Gaps, 0.5)+" "+quantile(&f.Gaps, 0.95), Plain)
	row("gap max", timed(f.Gaps.Max(), f.Gaps.N() > 0), Plain)
	row("first token p50", quantile(&f.TTFT, 0.5), Plain)
	stalls := Plain
	if f.Stalls > 0 {
		stalls = Bad
	}
	row("stalls", count(f.Stalls), stalls)
	if two {
		x, y = column+2, 2
	}
	row("device busy", percent(busy, ok), Plain)
	row("tokens", count(f.Tokens), Plain)
	row("kept of drafts", fmt.Sprintf("%s / %s", short(f.Kept), short(f.Drafts)), Plain)
	row("rounds · passes", short(f.Rounds)+" · "+short(f.Passes), Plain)
	row("steps", short(f.Steps), Plain)
	bad := Plain
	if f.Failed+f.Lost > 0 {
		bad = Bad
	}
	row("done gone failed", fmt.Sprintf("%s %s %s", short(f.Done), short(f.Cancelled), short(f.Failed)), bad)
}

func quantile(h *state.Hist, q float64) string {
	return timed(h.Quantile(q))
}

// drawShare draws the share promised over the share achieved, and what is owed.
func drawShare(a area, s *Scene) {
	st := s.State
	achieved, ok := st.Total.Share()
	width := a.Dx() - 24
	a.put(1, 0, Dim, "prompts' share")
	a.right(22, 0, Strong, percent(achieved, ok))
	if width >= 6 {
		bar(a, 23, 0, width, Step, achieved)
	}
	promised := "unknown"
	switch {
	case st.Promised == core.Whole && !st.Steps:
		promised = "no steps"
	case st.Promised > 0:
		promised = percent(float64(st.Promised)/float64(core.Whole), true)
	}
	a.put(1, 1, Dim, "promised")
	a.right(22, 1, Plain, promised)
	mark := -1
	if width >= 6 && st.Promised > 0 {
		mark = min(int(float64(st.Promised)*float64(width)/float64(core.Whole)), width-1)
		a.put(23+mark, 1, Warn, "▲")
	}
	if st.Owed > 0 && width >= 16 {
		text := "owed " + span(st.Owed)
		if n := lipgloss.Width(text); mark > n || mark < 0 {
			a.put(23, 1, Warn, text)
		} else {
			a.right(a.Dx(), 1, Warn, text)
		}
	}
}
