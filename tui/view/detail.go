package view

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/tui/state"
)

// drawDetail tells about the selected round where the rounds have the focus or
// one is selected, else about the selected slot.
func drawDetail(a area, s *Scene) {
	if s.Focus == Rounds || s.Round > 0 {
		seq := s.Round
		if seq == 0 {
			seq = s.State.Total.Rounds
		}
		drawRound(a, s, seq)
		return
	}
	drawSlot(a, s)
}

// lines writes text line by line.
type lines struct {
	area
	y int
}

func (l *lines) add(label, value string) { l.styled(label, Plain, value) }

func (l *lines) styled(label string, style Style, value string) {
	const at = 16
	l.field(1, l.y, at-2, Dim, label)
	for width := l.Dx() - at; ; {
		line, rest := breakLine(value, width)
		l.field(at, l.y, width, style, line)
		l.y++
		if value = rest; value == "" {
			return
		}
	}
}

// breakLine parts a text at the last blank within a width, if it is too long.
func breakLine(text string, width int) (line, rest string) {
	if lipgloss.Width(text) <= width {
		return text, ""
	}
	for i := len(text) - 1; i > 0; i-- {
		if text[i] == ' ' && lipgloss.Width(text[:i]) <= width {
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

func drawSlot(a area, s *Scene) {
	out := &lines{area: heading(a, "slot "+strconv.Itoa(s.Slot), s.Focus == Detail)}
	if s.Slot >= len(s.State.Slots) || s.State.Slots[s.Slot] == nil {
		out.styled("free", Dim, "nothing runs in it")
		return
	}
	r := s.State.Slots[s.Slot]
	now := s.State.Now
	out.add(title(r), fmt.Sprintf("%s, prompt %s of %s, reply %s of %s tokens", r.Phase,
		count(int64(r.Filled)), count(int64(r.Need)), count(int64(r.Emitted)), count(int64(r.Output))))
	first := "not yet, waits for " + span(now-r.Submitted)
	if t, ok := r.TTFT(); ok {
		first = span(t)
	}
	out.add("first token", first+", of it queued "+span(r.Admitted-r.Submitted))
	out.add("reply", fmt.Sprintf("%s tok/s now, last gap %s, longest %s", rate(r.Rate()),
		timed(r.LastGap, r.Rounds > 0), timed(r.MaxGap, r.Rounds > 0)))
	out.add("drafts", fmt.Sprintf("%s kept of %s in %s rounds", count(r.Kept), count(r.Drafts), count(r.Rounds)))
	if r.Phase == state.Filling {
		next := "next, as soon as the device is free"
		switch {
		case s.Ahead != nil && s.Ahead.Kind == core.EventStep && s.Ahead.ID == r.ID && now >= s.Ahead.At-s.Ahead.Wall:
			next = fmt.Sprintf("runs: %s rows, over in %s", count(int64(s.Ahead.Rows)), span(s.Ahead.At-now))
		case s.State.Owed > 0:
			next = "waits until rounds took " + span(s.State.Owed) + ", owed to replies"
		}
		out.add("prompt step", next)
	}
	if r.Losses > 0 {
		out.styled("losses", Bad, strconv.Itoa(r.Losses)+", fills again")
	}
	out.y++
	head := []string{"round", "depth", "kept", "tokens", "gap", "took"}
	put := func(style Style, texts ...string) {
		x := 1
		for i, text := range texts {
			x = out.number(x, out.y, []int{6, 7, 6, 8, 9, 9}[i], style, text)
		}
		out.y++
	}
	put(Dim, head...)
	for age := 0; age < s.State.Rounds.Len() && out.y < out.Dy(); age++ {
		round := s.State.Rounds.At(age)
		for i := range round.Windows {
			if w := &round.Windows[i]; w.Slot == s.Slot && w.ID == r.ID {
				put(Plain, count(round.Seq), strconv.Itoa(w.Drafts), strconv.Itoa(w.Kept), strconv.Itoa(w.Tokens),
					timed(w.Gap, w.Gap >= 0), span(round.Wall))
			}
		}
	}
}

func drawRound(a area, s *Scene, seq int64) {
	out := &lines{area: heading(a, "round "+count(seq), s.Focus == Detail || s.Focus == Rounds)}
	r, ok := s.State.Round(seq)
	if !ok {
		out.styled("gone", Dim, "only the last rounds are kept")
		return
	}
	out.add("took", fmt.Sprintf("%s until %s, %s in %s", span(r.Wall), clock(r.At-s.State.Origin),
		several(r.Rows, "row"), several(r.Launch, "launch")))
	ratio, style := against(r.Device, r.Price)
	out.styled("price", style, fmt.Sprintf("%s believed, %s measured (×%s)", millis(r.Price), span(r.Device), ratio))
	if p := r.Pass; p.Asks > 0 {
		ratio, style := against(p.Device, p.Price)
		out.styled("pass", style, fmt.Sprintf("%s of %s, %s believed, %s measured (×%s)",
			several(p.Asks, "ask"), several(p.Drafts, "draft"), millis(p.Price), span(p.Device), ratio))
	} else {
		out.add("pass", "none: the round ran plain")
	}
	if r.Reason != "" {
		out.styled("ended", Bad, r.Reason)
	}
	why(out, s.State, r)
	out.y++
	out.windows(r)
}

// windows lists what came of each window of a round.
func (l *lines) windows(r *state.Round) {
	widths := []int{6, 6, 7, 9}
	names := min(max(l.Dx()-6-28-1, 8), 24)
	row := func(slot, name string, style Style, figures [4]string, kept Style) {
		l.number(1, l.y, 4, Dim, slot)
		x := l.field(6, l.y, names, style, name)
		for k, text := range figures {
			s := style
			if k == 1 {
				s = kept
			}
			x = l.number(x, l.y, widths[k], s, text)
		}
		l.y++
	}
	row("slot", "request", Dim, [4]string{"depth", "kept", "tokens", "gap"}, Dim)
	for i := range r.Windows {
		w := &r.Windows[i]
		kept := Plain
		if w.Drafts > 0 && w.Kept == w.Drafts {
			kept = Good
		} else if w.Drafts > 0 && w.Kept == 0 {
			kept = Bad
		}
		row(strconv.Itoa(w.Slot), name(w.Name, w.ID), Plain,
			[4]string{strconv.Itoa(w.Drafts), strconv.Itoa(w.Kept), strconv.Itoa(w.Tokens), timed(w.Gap, w.Gap >= 0)}, kept)
	}
}

// why sets a round's depths against what is known of drafts and prices: the
// gain of each further draft, and the rate that the round was good for.
func why(out *lines, st *state.State, r *state.Round) {
	var gains []string
	chain := 1.0
	for j := range 6 {
		p, ok := st.Chance(j)
		if !ok {
			break
		}
		chain *= p
		gains = append(gains, fixed(chain, 2))
	}
	if len(gains) > 0 {
		out.add("gain by draft", strings.Join(gains, " ")+" tokens, as kept so far")
	}
	expected, known := 0.0, true
	for i := range r.Windows {
		g, ok := st.Gain(r.Windows[i].Drafts)
		expected += g
		known = known && ok
	}
	cost := r.Price + r.Pass.Price
	if known && cost > 0 {
		out.add("rate", fmt.Sprintf("%.1f tokens for %s: %s tok/s hoped, %s came", expected, millis(cost),
			rate(expected/float64(cost)*1e9, true), rate(float64(r.Tokens)*1e6/float64(max(r.Wall+r.Pass.Wall, 1)), true)))
	}
	var other []string
	for _, rows := range []int{r.Rows - 1, r.Rows + 1} {
		if x, ok := st.Shape(r.Planned, rows); ok && rows > 0 && x.Price > 0 {
			other = append(other, fmt.Sprintf("%d rows %s", rows, millis(x.Believed())))
		}
	}
	if len(other) > 0 {
		out.add("instead", strings.Join(other, ", "))
	}
}
