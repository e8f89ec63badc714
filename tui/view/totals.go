package view

import (
	"fmt"
	"strconv"

	"charm.land/lipgloss/v2"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/tui/state"
)

// twoColumns is the width from which the totals stand in two columns.
const twoColumns = 44

// totalRows is the height of the totals with their heading and a blank row.
func totalRows(width int, s *Scene) int { return 4 + len(totals(s, width)) }

// MostTotals is over the number of rows that the totals can have.
const MostTotals = 20

// total is a figure with its name; without one it is a title over others.
type total struct {
	label, value string
	style        Style
}

// drawTotals shows the prompts' share of time, promised and achieved, and the
// figures of the whole run. With the focus, rows that do not fit can be moved
// into view.
func drawTotals(a area, s *Scene) {
	body := heading(a, "totals", s.Focus == Totals)
	drawShare(body.part(0, 0, body.Dx(), 2), s)
	body = body.below(2)
	rows := totals(s, body.Dx())
	first, hidden := 0, max(len(rows)-body.Dy(), 0)
	if s.Focus == Totals {
		first = min(s.Row, hidden)
		if hidden > first {
			a.right(a.Dx(), 0, Dim, " +"+strconv.Itoa(hidden-first)+" more")
		}
	}
	column := body.Dx()
	if body.Dx() >= twoColumns {
		column = body.Dx()/2 - 1
	}
	for y, row := range rows[first:] {
		for i, t := range row {
			x := i * (column + 2)
			body.field(x+1, y, column-lipgloss.Width(t.value)-2, Dim, t.label)
			body.part(x, y, column, 1).right(column, 0, t.style, t.value)
		}
	}
}

// totals are the rows below the share, of one figure or two.
func totals(s *Scene, width int) [][]total {
	f := &s.State.Total
	busy, ok := s.State.BusyPart()
	stalls, bad := Plain, Plain
	if f.Stalls > 0 {
		stalls = Bad
	}
	if f.Failed+f.Lost > 0 {
		bad = Bad
	}
	rows := arranged(width, []total{
		{"decode tok/s", rate(f.DecodeRate()), Strong},
		{"prompt tok/s", rate(f.PromptRate()), Strong},
		{"gap p50 p95", quantile(&f.Gaps, 0.5) + " " + quantile(&f.Gaps, 0.95), Plain},
		{"gap max", timed(f.Gaps.Max(), f.Gaps.N() > 0), Plain},
		{"first token p50", quantile(&f.TTFT, 0.5), Plain},
		{"stalls", count(f.Stalls), stalls},
	}, []total{
		{"device busy", percent(busy, ok), Plain},
		{"tokens", count(f.Tokens), Plain},
		{"kept of drafts", short(f.Kept) + " / " + short(f.Drafts), Plain},
		{"rounds · passes", short(f.Rounds) + " · " + short(f.Passes), Plain},
		{"steps", short(f.Steps), Plain},
		{"done gone failed", fmt.Sprintf("%s %s %s", short(f.Done), short(f.Cancelled), short(f.Failed)), bad},
	})
	c := s.State.Server
	if c == nil {
		return rows
	}
	missed := Plain
	if c.Missed > 0 {
		missed = Warn
	}
	rows = append(rows, []total{{label: "since the server's start"}})
	return append(rows, arranged(width, []total{
		{"tokens", told(c.Tokens, count), Plain},
		{"rounds", told(c.Rounds, count), Plain},
		{"kept of drafts", told(c.Accepted, short) + " / " + told(c.Drafted, short), Plain},
	}, []total{
		{"in lanes now", told(c.Running, short) + " / " + told(c.Lanes, short), Plain},
		{"waiting now", told(c.Waiting, short), Plain},
		{"events missed", told(c.Missed, count), missed},
	})...)
}

// arranged puts two columns beside each other, or one below the other.
func arranged(width int, left, right []total) (rows [][]total) {
	for i, t := range left {
		rows = append(rows, []total{t})
		if width >= twoColumns {
			rows[i] = append(rows[i], right[i])
		}
	}
	if width < twoColumns {
		for _, t := range right {
			rows = append(rows, []total{t})
		}
	}
	return rows
}

// told is a figure of the server, if it tells it.
func told(n int64, write func(int64) string) string {
	if n < 0 {
		return absent
	}
	return write(n)
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
