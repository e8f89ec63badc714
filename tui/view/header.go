package view

import (
	"fmt"

	"charm.land/lipgloss/v2"
)

func sizes(w, h int) string {
	return fmt.Sprintf("%d×%d, at least %d×%d are needed.", w, h, MinWidth, MinHeight)
}

// drawHeader shows what is played, how, and the time.
func drawHeader(a area, s *Scene) {
	st := s.State
	now := clock(st.Now - st.Origin)
	right := a.Dx()
	a.right(right, 0, Strong, now)
	right -= len(now) + 2
	a.right(right, 0, Key, s.Mode)
	right -= lipgloss.Width(s.Mode) + 2
	state := fmt.Sprintf("%d reply · %d fill · %d wait", st.Decoding(), st.Filling(), st.Waiting())
	if width := lipgloss.Width(state); right-width > 24 {
		a.right(right, 0, Dim, state)
		right -= width + 2
	}
	a.field(0, 0, min(lipgloss.Width(s.Title), right), Title, s.Title)
}

// drawFooter shows the message, or the keys.
func drawFooter(a area, s *Scene) {
	x := 0
	if s.Message != "" {
		style := Warn
		if s.Alarm {
			style = Bad
		}
		a.field(0, 0, a.Dx(), style, s.Message)
		return
	}
	for _, b := range s.Help {
		h := b.Help()
		if x+lipgloss.Width(h.Key)+lipgloss.Width(h.Desc)+3 > a.Dx() {
			return
		}
		x = a.put(x, 0, Key, h.Key)
		x = a.put(x+1, 0, Dim, h.Desc) + 2
	}
}
