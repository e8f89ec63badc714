package result

import (
	"charm.land/lipgloss/v2"
)

// paint colours text, or leaves it as it is.
type paint struct{ on bool }

// The table's colours are the terminal's own, so they fit its background.
var (
	stylePlain  = lipgloss.NewStyle()
	styleTitle  = lipgloss.NewStyle().Bold(true)
	styleDim    = lipgloss.NewStyle().Faint(true)
	styleBetter = lipgloss.NewStyle().Foreground(lipgloss.Green)
	styleWorse  = lipgloss.NewStyle().Foreground(lipgloss.Red)
	styleWarn   = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
)

func (p paint) with(s lipgloss.Style, text string) string {
	if !p.on || text == "" {
		return text
	}
	return s.Render(text)
}
