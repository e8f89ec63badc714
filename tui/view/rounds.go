package view

import (
	"strconv"
	"strings"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/tui/state"
)

// drawRounds lists the last rounds, the newest on top: what was asked, how
// deep each window went, what was kept, and price against time.
func drawRounds(a area, s *Scene) {
	body := heading(a, "rounds: asks, depths, kept", s.Focus == Rounds)
	wide := body.Dx() >= 64
	depths := max(body.Dx()-54, 7)
	if !wide {
		depths = max(body.Dx()-37, 6)
	}
	head := func(a area, y int, style Style, seq, at, asks, depths_, kept, tokens, price, wall, ratio string, ratioStyle Style) {
		x := a.number(0, y, 6, Dim, seq) + 1
		if wide {
			x = a.number(x, y, 9, Dim, at) + 1
		}
		x = a.number(x, y, 5, Pass, asks) + 1
		x = a.field(x, y, depths, style, depths_)
		x = a.number(x, y, 6, style, kept)
		x = a.number(x, y, 4, style, tokens)
		if wide {
			x = a.number(x, y, 7, Dim, price)
		}
		x = a.number(x, y, 7, style, wall)
		a.number(x, y, 6, ratioStyle, ratio)
	}
	head(body, 0, Dim, "round", "at", "asks", "depths", "kept", "tok", "price", "took", "×", Dim)
	newest := s.State.Total.Rounds
	top := newest
	if s.Round > 0 {
		top = min(newest, s.Round+int64(max(body.Dy()-2, 0)/2))
	}
	for y := 1; y < body.Dy(); y++ {
		r, ok := s.State.Round(top - int64(y-1))
		if !ok {
			break
		}
		ratio, style := against(r.Device, r.Price)
		head(body, y, Plain, count(r.Seq), clock(r.At-s.State.Origin), asks(&r.Pass), depthText(r), keptText(r),
			strconv.Itoa(r.Tokens), millis(r.Price), span(r.Wall), ratio, style)
		if s.Focus == Rounds && (r.Seq == s.Round || s.Round == 0 && r.Seq == newest) {
			body.selectRow(y)
		}
	}
	if newest == 0 {
		body.put(1, 1, Dim, "no round yet")
	}
}

// asks is the number of asks and of drafts asked.
func asks(p *state.Pass) string {
	if p.Asks == 0 {
		return absent
	}
	return strconv.Itoa(p.Asks) + "·" + strconv.Itoa(p.Drafts)
}

// depthText is each window's depth in order of admission.
func depthText(r *state.Round) string {
	if r.Reason != "" {
		return r.Reason
	}
	parts := make([]string, 0, len(r.Windows))
	for i := range r.Windows {
		parts = append(parts, strconv.Itoa(r.Windows[i].Drafts))
	}
	if missing := r.Planned - len(r.Windows); missing > 0 {
		parts = append(parts, "-"+strconv.Itoa(missing))
	}
	return strings.Join(parts, " ")
}

func keptText(r *state.Round) string {
	if r.Drafts == 0 {
		return absent
	}
	return strconv.Itoa(r.Kept) + "/" + strconv.Itoa(r.Drafts)
}

// against is measured over believed; a tenth off is marked.
func against(device core.Micros, price core.Nanos) (string, Style) {
	if price <= 0 || device <= 0 {
		return absent, Dim
	}
	x := float64(device) * 1000 / float64(price)
	return fixed(x, 2), ratioStyle(x)
}

func ratioStyle(x float64) Style {
	switch {
	case x > 1.1:
		return Bad
	case x < 0.9:
		return Good
	}
	return Dim
}
