package view

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
)

// Style names what a cell is, not how it looks.
type Style uint8

// The styles.
const (
	Plain Style = iota
	Dim
	Title
	Strong
	Step
	Pass
	Round
	Begin
	Good
	Bad
	Warn
	Key
	numStyles
)

// Names are the styles' names, for pictures.
var Names = [numStyles]string{
	"plain", "dim", "title", "strong", "step", "pass", "round", "begin", "good", "bad", "warn", "key",
}

// Theme says how each style looks.
type Theme struct {
	Styles [numStyles]lipgloss.Style
	// before and after are the texts around a run of cells, plain and selected.
	before, after [2][numStyles]string
}

// Colors are a style's colours on a light and a dark ground. They differ in
// lightness as well as in hue.
type colors struct{ light, dark string }

var palette = [numStyles]colors{
	Dim:    {"#6B7280", "#8B95A5"},
	Title:  {"#1D4ED8", "#8AB4F8"},
	Step:   {"#B45309", "#F0A040"},
	Pass:   {"#9D3C8F", "#D58FCF"},
	Round:  {"#0369A1", "#56B4E9"},
	Begin:  {"#0F766E", "#5EC4B6"},
	Good:   {"#15803D", "#6BCB77"},
	Bad:    {"#B91C1C", "#FF7B72"},
	Warn:   {"#A16207", "#E3C04F"},
	Key:    {"#1D4ED8", "#8AB4F8"},
	Strong: {},
}

// NewTheme is the theme for a dark or a light ground. Without color, only bold
// and reversed text remain.
func NewTheme(dark, color bool) *Theme {
	t := &Theme{}
	pick := lipgloss.LightDark(dark)
	for i, c := range palette {
		s := lipgloss.NewStyle()
		if color && c.dark != "" {
			s = s.Foreground(pick(lipgloss.Color(c.light), lipgloss.Color(c.dark)))
		}
		switch Style(i) {
		case Title, Strong, Key:
			s = s.Bold(true)
		}
		t.Styles[i] = s
		t.before[0][i], t.after[0][i] = around(s)
		t.before[1][i], t.after[1][i] = around(s.Reverse(true))
	}
	return t
}

// Color is a style's colour; ok is false where it is the terminal's own.
func (t *Theme) Color(s Style) (c color.Color, ok bool) {
	c = t.Styles[s].GetForeground()
	_, none := c.(lipgloss.NoColor)
	return c, !none
}

// Bold says whether a style is bold.
func (t *Theme) Bold(s Style) bool { return t.Styles[s].GetBold() }

// around is what a style puts before and after a text.
func around(s lipgloss.Style) (before, after string) {
	before, after, _ = strings.Cut(s.Render("x"), "x")
	return before, after
}
