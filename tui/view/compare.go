package view

import (
	"strings"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/tui/state"
)

// drawCompare sets the run with the old settings against that in which they
// changed, from the moment of the change on.
func drawCompare(a area, s *Scene) {
	if s.Other == nil {
		return
	}
	old, other := &s.State.Part, &s.Other.Part
	body := heading(a, "old and new from "+span(old.Since-s.State.Origin)+" on", s.Focus == Compare)
	body.field(1, 0, body.Dx()-1, Warn, strings.Join(s.Changed, " "))
	body.field(1, 1, body.Dx()-1, Dim, held(s))
	y := 2
	row := func(label, a, b string, style Style) {
		x := body.field(1, y, max(body.Dx()-28, 12), Dim, label)
		x = body.number(x, y, 12, Plain, a)
		body.number(x, y, 12, style, b)
		y++
	}
	row("", "old", "new", Strong)
	times := func(label string, q float64) {
		x, okX := old.Gaps.Quantile(q)
		z, okZ := other.Gaps.Quantile(q)
		if q == 1 {
			x, z = old.Gaps.Max(), other.Gaps.Max()
		}
		row(label, timed(x, okX), timed(z, okZ), verdict(float64(z), float64(x), okX && okZ))
	}
	times("gap p50", 0.5)
	times("gap p95", 0.95)
	times("gap max", 1)
	speed := func(f *state.Figures) (float64, bool) {
		if f.Last <= f.Since {
			return 0, false
		}
		return float64(f.Tokens) * 1e6 / float64(f.Last-f.Since), true
	}
	x, okX := speed(old)
	z, okZ := speed(other)
	row("tok/s", rate(x, okX), rate(z, okZ), verdict(x, z, okX && okZ))
	row("done", count(old.Done), count(other.Done), verdict(float64(old.Done), float64(other.Done), true))
	row("tokens", count(old.Tokens), count(other.Tokens), verdict(float64(old.Tokens), float64(other.Tokens), true))
	row("prompt rows", count(old.PromptRows), count(other.PromptRows), verdict(float64(old.PromptRows), float64(other.PromptRows), true))
	row("stalls", count(old.Stalls), count(other.Stalls), verdict(float64(other.Stalls), float64(old.Stalls), true))
	p, okP := old.Share()
	q, okQ := other.Share()
	row("prompts' share", percent(p, okP), percent(q, okQ), Plain)
	y++
	if y < body.Dy() {
		row("request: done", "old", "new", Dim)
	}
	for _, id := range requests(s.State, s.Other, body.Dy()-y) {
		label, u, okU := ending(s.State, id)
		other, v, okV := ending(s.Other, id)
		if label == "" {
			label = other
		}
		row(label, timed(u, okU), timed(v, okV), verdict(float64(v), float64(u), okU && okV))
	}
}

// held says from when on the new settings hold.
func held(s *Scene) string {
	switch {
	case s.Held == core.Never:
		return "same up to here; new once what runs ends"
	case s.Held > s.State.Part.Since:
		return "same up to here; new once what runs ends: " + span(s.Held-s.State.Origin)
	}
	return "same up to here; new from here on"
}

// verdict colours the second of two figures of which the lesser is better.
func verdict(mine, theirs float64, ok bool) Style {
	switch {
	case !ok || theirs == mine:
		return Plain
	case mine < theirs*0.95:
		return Good
	case mine > theirs*1.05:
		return Bad
	}
	return Plain
}

// requests are those in a slot in either run, then those that ended last.
func requests(a, b *state.State, most int) []core.ID {
	var ids []core.ID
	seen := map[core.ID]bool{}
	add := func(id core.ID) {
		if !seen[id] && len(ids) < most {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, st := range []*state.State{a, b} {
		for _, r := range st.Slots {
			if r != nil {
				add(r.ID)
			}
		}
	}
	for _, st := range []*state.State{a, b} {
		for age := range st.Ended.Len() {
			add(st.Ended.At(age).ID)
		}
	}
	return ids
}

// ending is a request's name and, if it is over, how long it took.
func ending(st *state.State, id core.ID) (label string, t core.Micros, ok bool) {
	if r, in := st.Request(id); in {
		return title(r), 0, false
	}
	for age := range st.Ended.Len() {
		if r := st.Ended.At(age); r.ID == id {
			return title(r), r.Ended - r.Submitted, true
		}
	}
	return "", 0, false
}
