package view_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/internal/golden"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/tui/state"
	"github.com/tfsim/tfsim/tui/view"
)

// recorded is the events of a run, read from a file.
func recorded(t testing.TB) []result.Line {
	f, err := os.Open("../testdata/busy.jsonl")
	require.NoError(t, err)
	defer f.Close()
	var lines []result.Line
	require.NoError(t, result.ReadJSONL(f, func(l *result.Line) error {
		lines = append(lines, *l)
		return nil
	}))
	return lines
}

// played is the state after a number of events.
func played(t testing.TB, lines []result.Line, n int) (*state.State, *core.Event) {
	s := state.New(state.Setup{Lanes: 4, Promised: 750_000, Steps: true})
	for n < len(lines) && lines[n].At == lines[n-1].At {
		n++ // all of a moment
	}
	for i := range lines[:n] {
		if i == n/2 {
			s.Mark()
		}
		s.Apply(&lines[i].Event, lines[i].Request)
	}
	for i := n; i < len(lines); i++ {
		if e := &lines[i].Event; e.Wall > 0 && e.Kind != core.EventTokens {
			s.Advance(e.At - e.Wall/3)
			return s, e
		}
	}
	return s, nil
}

func scene(t testing.TB) *view.Scene {
	s, ahead := played(t, recorded(t), 520)
	return &view.Scene{
		State: s, Ahead: ahead, Title: "busy · all · share", Mode: "▶ 10×", Window: 5_000_000,
		Help: []key.Binding{key.NewBinding(key.WithKeys("q"), key.WithHelp("q", "quit")),
			key.NewBinding(key.WithKeys("space"), key.WithHelp("space", "play"))},
	}
}

// scenes are what the goldens show.
var scenes = []struct {
	name   string
	change func(testing.TB, *view.Scene)
}{
	{"slots", func(_ testing.TB, s *view.Scene) { s.Slot = 1 }},
	{"round", func(_ testing.TB, s *view.Scene) {
		s.Focus, s.Round = view.Detail, s.State.Total.Rounds-3
		s.Message = "The run is over: no further stall."
	}},
	{"compare", func(t testing.TB, s *view.Scene) {
		s.Other, s.OtherAhead = played(t, recorded(t), 500)
		s.Changed = []string{"TENSORFOLD_PREFILL_SHARE=0.5"}
		s.Held = s.State.Part.Since + 900_000
	}},
	{"queue", func(_ testing.TB, s *view.Scene) { s.Focus = view.Queue }},
	{"costs", func(_ testing.TB, s *view.Scene) { s.Focus = view.Costs }},
	{"live", func(_ testing.TB, s *view.Scene) {
		s.Mode, s.Ahead, s.Focus, s.Row = "● live", nil, view.Totals, view.MostTotals
		s.State.Know(&state.Counts{
			Lanes: 8, Promised: 750_000, Running: 4, Waiting: 1,
			Tokens: 1_234_567, Rounds: 402_931, Drafted: 640_112, Accepted: 401_870, Missed: 12,
		})
	}},
}

var sizes = [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}, {250, 80}}

func TestGolden(t *testing.T) {
	for _, c := range scenes {
		for _, size := range sizes {
			name := fmt.Sprintf("%s-%dx%d", c.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				s := scene(t)
				c.change(t, s)
				var g view.Grid
				g.Reset(size[0], size[1])
				view.Draw(&g, s)
				golden.File(t, filepath.Join("testdata", name+".txt"), []byte(g.String()))
			})
		}
	}
}

// Whatever the size, a frame has exactly its lines and columns.
func TestEverySize(t *testing.T) {
	themes := []*view.Theme{view.NewTheme(true, true), view.NewTheme(false, false)}
	for _, c := range scenes {
		s := scene(t)
		c.change(t, s)
		for _, o := range []*view.Overlay{nil, {Title: "keys", Cursor: 3, Lines: make([]view.Line, 40), Foot: make([]view.Line, 9)}} {
			s.Overlay = o
			var g view.Grid
			for w := 0; w < 260; w += 23 {
				for h := 0; h < 90; h += 11 {
					g.Reset(w, h)
					view.Draw(&g, s)
					for _, theme := range themes {
						lines := strings.Split(g.Text(theme), "\n")
						require.Len(t, lines, max(h, 1))
						for _, l := range lines {
							if h > 0 {
								require.Equal(t, w, lipgloss.Width(l))
							}
						}
					}
				}
			}
		}
	}
}

// Nothing breaks at any moment of a run, from before its first event.
func TestEveryMoment(t *testing.T) {
	lines := recorded(t)
	for _, setup := range []state.Setup{{}, {Lanes: 4}, {Lanes: 100}} {
		st := state.New(setup)
		var g view.Grid
		for i := range lines {
			if i%5 == 0 {
				g.Reset(60+i%200, 20+i%61)
				view.Draw(&g, &view.Scene{State: st, Window: 1_000_000, Focus: view.Pane(i % 6), Round: int64(i % 3)})
			}
			st.Apply(&lines[i].Event, lines[i].Request)
		}
	}
}

// The totals move to what does not fit, and say how much that is.
func TestTotalsMove(t *testing.T) {
	s := scene(t)
	s.Focus = view.Totals
	s.State.Know(&state.Counts{Lanes: -1, Running: -1, Waiting: -1, Tokens: 77, Rounds: -1, Drafted: -1, Accepted: -1, Missed: -1})
	var g view.Grid
	draw := func() string {
		g.Reset(80, 24)
		view.Draw(&g, s)
		return g.String()
	}
	top := draw()
	require.Contains(t, top, "+8 more")
	require.Contains(t, top, "decode tok/s")
	require.Contains(t, top, "unknown") // the promise is no longer told
	s.Row = 8
	end := draw()
	require.NotContains(t, end, "more")
	require.Regexp(t, `tokens +77\n`, end)
	require.Regexp(t, `in lanes now +– / –\n`, end)
	require.Regexp(t, `events missed +–\n`, end)
	s.Row = view.MostTotals
	require.Equal(t, end, draw())
}

func TestThemes(t *testing.T) {
	s := scene(t)
	var g view.Grid
	g.Reset(120, 40)
	view.Draw(&g, s)
	dark, light, bare := g.Text(view.NewTheme(true, true)), g.Text(view.NewTheme(false, true)), g.Text(view.NewTheme(true, false))
	require.NotEqual(t, dark, light)
	require.Contains(t, dark, "\x1b[38;2;")
	// Without colours only bold and reversed text are left.
	for _, part := range strings.Split(bare, "\x1b[")[1:] {
		code, _, _ := strings.Cut(part, "m")
		require.Contains(t, []string{"", "0", "1", "7", "1;7", "7;1"}, code)
	}
	// A selected row can be told without colours.
	require.Contains(t, bare, "\x1b[7m")
}

// Names of requests come from outside.
func TestForeignNames(t *testing.T) {
	st := state.New(state.Setup{Lanes: 2})
	for i, name := range []string{"\x1b[31mred\nline\ttab", "日本語のとても長い名前です", "e\u0301\u200d👩‍👩‍👧", "\xff\xfe", ""} {
		id := core.ID(i + 1)
		st.Apply(&core.Event{Kind: core.EventSubmitted, ID: id, Slot: -1, Rows: 10, Tokens: 10}, name)
		if i < 2 {
			st.Apply(&core.Event{Kind: core.EventAdmitted, ID: id, Slot: i}, name)
		}
	}
	var g view.Grid
	for w := 60; w < 130; w++ {
		g.Reset(w, 30)
		view.Draw(&g, &view.Scene{State: st, Window: 1_000_000, Focus: view.Queue})
		for _, l := range strings.Split(g.Text(view.NewTheme(true, false)), "\n") {
			require.Equal(t, w, lipgloss.Width(l))
			require.NotContains(t, l, "\x1b[31m")
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			s := scene(b)
			theme := view.NewTheme(true, true)
			var g view.Grid
			b.ReportAllocs()
			for b.Loop() {
				g.Reset(size[0], size[1])
				view.Draw(&g, s)
				_ = g.Text(theme)
			}
		})
	}
}
