package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tui/state"
	"github.com/tfsim/tfsim/tui/view"
)

// bench is a model played by hand: commands are done at once, time is told.
type bench struct {
	*testing.T
	*Model
	now time.Time
}

func play(t *testing.T, path string, o study.Options) *bench {
	f, err := scenario.Load(path)
	require.NoError(t, err)
	s, err := newShow(f, o)
	require.NoError(t, err)
	m := newModel(false)
	m.show = s
	b := &bench{T: t, Model: m, now: time.Unix(1000, 0)}
	b.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	b.do(s.step())
	b.wait(0)
	return b
}

func (b *bench) do(cmd tea.Cmd) { finish(b.Model, cmd) }

func (b *bench) send(msg tea.Msg) {
	_, cmd := b.Update(msg)
	b.do(cmd)
}

// wait lets real time pass.
func (b *bench) wait(d time.Duration) {
	for {
		step := min(d, frame)
		b.now = b.now.Add(step)
		b.do(b.tick(b.now))
		if d -= step; d <= 0 {
			return
		}
	}
}

// keys presses keys by name, one after another.
func (b *bench) keys(names ...string) *bench {
	for _, name := range names {
		k := tea.KeyPressMsg{Text: name}
		switch name {
		case "enter":
			k = tea.KeyPressMsg{Code: tea.KeyEnter}
		case "esc":
			k = tea.KeyPressMsg{Code: tea.KeyEscape}
		case "tab":
			k = tea.KeyPressMsg{Code: tea.KeyTab}
		case "shift+tab":
			k = tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
		case "space":
			k = tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
		case "up":
			k = tea.KeyPressMsg{Code: tea.KeyUp}
		case "down":
			k = tea.KeyPressMsg{Code: tea.KeyDown}
		case "backspace":
			k = tea.KeyPressMsg{Code: tea.KeyBackspace}
		case "ctrl+c":
			k = tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
		}
		b.send(k)
		b.View()
	}
	return b
}

// text types a text.
func (b *bench) text(s string) *bench {
	for _, r := range s {
		b.keys(string(r))
	}
	return b
}

// whatIf changes a setting, as the editor does.
func (b *bench) whatIf(name, text string) error {
	cmd, err := b.change(name, text)
	b.do(cmd)
	return err
}

func (b *bench) screen() string {
	b.stale = true
	b.View()
	return b.grid.String()
}

const longBesideShort = "../scenarios/long-beside-short.yaml"

func shared(t *testing.T) *bench {
	return play(t, longBesideShort, study.Options{Cases: []string{"reply first"}, Arms: []string{"decode-share"}})
}

func TestTimePasses(t *testing.T) {
	b := shared(t)
	b.wait(time.Second)
	require.InDelta(t, 1e6, float64(b.state().Now), 2e3)
	b.keys("+") // 2×
	b.wait(time.Second)
	require.InDelta(t, 3e6, float64(b.state().Now), 4e3)
	b.keys("space")
	at := b.state().Now
	b.wait(time.Second)
	require.Equal(t, at, b.state().Now)
	require.Contains(t, b.screen(), "‖ 2×")
	// Every event up to now was applied, none beyond.
	require.Greater(t, b.show.main.next().At, b.state().Now)
}

func TestStepsAndJumps(t *testing.T) {
	b := shared(t)
	b.keys("l")
	require.EqualValues(t, 1, b.state().Total.Rounds)
	require.False(t, b.show.playing)
	r, ok := b.state().Round(1)
	require.True(t, ok)
	require.Len(t, r.Windows, 1) // its tokens are in
	b.keys("l", "l", "l", "l", "h")
	require.EqualValues(t, 4, b.state().Total.Rounds)
	n := b.state().Total.Steps
	b.keys("s")
	require.Equal(t, n+1, b.state().Total.Steps)
	b.keys("t")
	require.EqualValues(t, 1, b.state().Total.Stalls)
	require.Equal(t, b.state().LastStall.At, b.state().Now)
	b.keys("f")
	require.EqualValues(t, 1, b.state().Total.Done)
	b.keys("f", "f")
	require.Contains(t, b.screen(), "no further finish")
	require.Contains(t, b.screen(), "■ over")
	b.keys("0")
	require.Zero(t, b.state().Now)
	b.keys("h", "H", "0")
	require.Zero(t, b.state().Total.Rounds)
	b.keys("$")
	require.EqualValues(t, 2, b.state().Total.Done)
}

// Going back gives what was there.
func TestScrubbingIsExact(t *testing.T) {
	b := shared(t)
	var screens []string
	for range 12 {
		b.keys("l")
		screens = append(screens, b.screen())
	}
	for i := len(screens) - 2; i >= 0; i-- {
		b.keys("h")
		require.Equal(t, screens[i], b.screen(), "round %d", i+1)
	}
	b.keys("0").wait(0)
	b.keys("L")
	require.EqualValues(t, 5_000_000, b.state().Now)
	there := b.screen()
	b.keys("L", "H")
	require.EqualValues(t, 5_000_000, b.state().Now)
	require.Equal(t, there, b.screen())
}

// A frame drawn while events are still fetched is drawn again once they are in.
func TestLateBatch(t *testing.T) {
	b := shared(t)
	b.keys("l", "l", "l")
	_, cmd := b.Update(tea.KeyPressMsg{Text: "h"})
	require.Contains(t, b.View().Content, "» seeks")
	b.do(cmd)
	b.wait(frame)
	require.NotContains(t, b.View().Content, "» seeks")
	require.EqualValues(t, 2, b.state().Total.Rounds)
	// Keys that come before the events do not lose any.
	_, first := b.Update(tea.KeyPressMsg{Text: "h"})
	_, second := b.Update(tea.KeyPressMsg{Text: "0"})
	_, third := b.Update(tea.KeyPressMsg{Text: "f"})
	for _, cmd := range []tea.Cmd{third, first, second} {
		b.do(cmd)
	}
	b.wait(frame)
	require.EqualValues(t, 1, b.state().Total.Done)
}

func TestWhatIf(t *testing.T) {
	b := play(t, longBesideShort, study.Options{Cases: []string{"reply first"}, Arms: []string{"base"}})
	b.keys("l", "w", "/").text("prefill_pieces").keys("enter")
	require.Contains(t, b.screen(), "Prompts run in steps between rounds")
	b.keys("enter").text("maybe")
	require.Contains(t, b.screen(), "want 0, 1, off, on, false or true")
	b.keys("enter")
	require.Nil(t, b.show.other) // refused
	b.keys("esc", "enter", "tab", "tab").keys("enter")
	require.Nil(t, b.dialog)
	require.NotNil(t, b.show.other)
	require.Equal(t, b.state().Now, b.show.other.state.Part.Since)
	require.Equal(t, b.state().Now, b.state().Part.Since)
	screen := b.screen()
	require.Contains(t, screen, "old and new from 225ms on")
	require.Contains(t, screen, "same up to here; new from here on")
	require.Contains(t, screen, "TF_DSV41_PREFILL_PIECES=1")
	b.keys("$")
	require.True(t, b.show.ended())
	// What the arms of the file say of the two settings.
	reply := func(s *state.State) core.Micros {
		_, t, ok := endingOf(s, "reply")
		require.True(b, ok)
		return t
	}
	require.Greater(t, reply(b.state()), core.Micros(100e6))
	require.Less(t, reply(b.show.other.state), core.Micros(10e6))
	// Going back before the change and on again leads to the same.
	want := b.screen()
	b.keys("0")
	require.False(t, b.show.other.marked)
	b.keys("$")
	require.Equal(t, want, b.screen())
	b.keys("x")
	require.Nil(t, b.show.other)
}

// Up to the change both runs are the same, whenever it is made; what runs then
// goes on.
func TestWhatIfFromNowOn(t *testing.T) {
	b := play(t, longBesideShort, study.Options{Cases: []string{"reply first"}, Arms: []string{"base"}})
	b.keys("L") // the whole long prompt runs
	main := b.show.main
	running := main.ahead()
	require.Equal(t, core.EventStep, running.Kind)
	require.NoError(t, b.whatIf("TF_DSV41_PREFILL_PIECES", "1"))
	b.keys("L", "H")
	other := b.show.other
	require.Equal(t, main.state.Total, other.state.Total)
	require.Zero(t, other.state.Part.Events)
	require.Equal(t, running.At, other.held)
	require.Contains(t, b.screen(), "new once what runs ends: 2m17s")
	b.keys("$")
	require.Equal(t, running.At, other.held)

	// At the start it holds from the first decision on.
	b.keys("0")
	require.NoError(t, b.whatIf("TF_DSV41_PREFILL_PIECES", "1"))
	b.keys("$")
	require.Zero(t, b.show.other.held)
	require.Greater(t, b.show.other.state.Total.Steps, int64(10))
}

// A setting that is so already changes nothing.
func TestWhatIfTheSame(t *testing.T) {
	b := play(t, longBesideShort, study.Options{Cases: []string{"reply first"}, Arms: []string{"pieces"}})
	b.keys("L")
	require.NoError(t, b.whatIf("TF_DSV41_PREFILL_PIECES", "on"))
	require.Contains(t, b.screen(), "Nothing changes")
	b.keys("$")
	require.Equal(t, b.state().Total, b.show.other.state.Total)
	require.Equal(t, b.state().Part, b.show.other.state.Part)
}

// What is the device's is refused with a line.
func TestWhatIfRefused(t *testing.T) {
	b := play(t, longBesideShort, study.Options{Cases: []string{"reply first"}, Arms: []string{"pieces"}})
	b.keys("L", "w", "/").text("--parallel").keys("enter", "enter").text("8")
	b.keys("enter")
	require.Contains(t, b.screen(), "lanes cannot change while it runs (4 to 8): start it with --set --parallel=8")
	require.Nil(t, b.show.other)
	b.send(tea.WindowSizeMsg{Width: view.MinWidth, Height: view.MinHeight})
	require.Contains(t, b.screen(), "lanes cannot change while it runs (4 to 8)")
	b.keys("esc", "esc")
	require.ErrorContains(t, b.whatIf("--prompt-cache-gib", "3"), "the prompt cache cannot change while it runs (")
	require.NoError(t, b.whatIf("--parallel", "4"))
}

func endingOf(s *state.State, name string) (int, core.Micros, bool) {
	for age := range s.Ended.Len() {
		if r := s.Ended.At(age); r.Name == name {
			return age, r.Ended - r.Submitted, true
		}
	}
	return 0, 0, false
}

// A setting without effect says so.
func TestWhatIfNotes(t *testing.T) {
	b := play(t, longBesideShort, study.Options{Cases: []string{"reply first"}, Arms: []string{"base"}})
	b.keys("w", "/").text("step_rows").keys("enter", "enter").text("512").keys("enter")
	require.Contains(t, b.screen(), "no effect")
}

func TestArms(t *testing.T) {
	b := play(t, longBesideShort, study.Options{})
	require.Len(t, b.show.cells, 8)
	b.wait(time.Second)
	b.keys("a", "/").text("long first").keys("enter")
	require.Contains(t, b.screen(), "long first")
	b.keys("down", "enter")
	require.Equal(t, study.Title{Case: "long first", Arm: "pieces"}, b.show.cells[b.show.main.cell])
	require.Zero(t, b.state().Now)
	require.True(t, b.show.playing)
	b.keys("a", "esc")
	require.Nil(t, b.dialog)
}

func TestSelection(t *testing.T) {
	b := shared(t)
	b.keys("j", "j", "k")
	require.Equal(t, 1, b.slot)
	b.keys("G")
	require.Equal(t, 3, b.slot)
	for range 10 {
		b.keys("l")
	}
	b.keys("tab")
	require.Equal(t, view.Rounds, b.focus)
	b.keys("j", "j")
	require.EqualValues(t, 8, b.round)
	b.keys("enter")
	require.Contains(t, b.screen(), "round 8")
	b.keys("l", "l")
	require.EqualValues(t, 8, b.round) // it stays where it is
	b.keys("esc")
	require.Zero(t, b.round)
	require.Equal(t, view.Slots, b.focus)
	for range 7 {
		b.keys("tab", "down", "G", "g", "enter")
	}
	b.keys("esc", "m")
	require.Equal(t, tea.MouseModeCellMotion, b.View().MouseMode)
	b.send(tea.MouseClickMsg{Y: 4})
	require.Equal(t, 2, b.slot)
	b.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	require.Equal(t, 1, b.slot)
}

// Any keys in any order, at any size, never break it.
func TestKeysNeverBreakIt(t *testing.T) {
	all := []string{"space", "l", "h", "s", "t", "f", "L", "H", "0", "$", "+", "-", "z", "Z", "k", "j", "g", "G",
		"tab", "shift+tab", "enter", "esc", "a", "w", "x", "m", "?", "/", "up", "down", "backspace", "1", "9"}
	b := play(t, "testdata/busy.yaml", study.Options{})
	seed := uint32(1)
	draw := func(n int) int {
		seed = seed*1664525 + 1013904223
		return int(seed>>16) % n
	}
	for i := range 400 {
		b.keys(all[draw(len(all))])
		if i%10 == 0 {
			b.send(tea.WindowSizeMsg{Width: draw(260), Height: draw(90)})
			lines := strings.Split(b.View().Content, "\n")
			require.Len(t, lines, max(b.height, 1))
		}
		b.wait(frame)
	}
}

func TestResize(t *testing.T) {
	b := shared(t)
	for _, size := range [][2]int{{250, 80}, {10, 3}, {60, 20}, {200, 60}, {80, 24}, {1, 1}} {
		b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		lines := strings.Split(b.View().Content, "\n")
		require.Len(t, lines, size[1])
		for _, l := range lines {
			require.Equal(t, size[0], lipgloss.Width(l))
		}
	}
}

func TestGround(t *testing.T) {
	b := shared(t)
	b.color = true
	b.theme = view.NewTheme(true, true)
	dark := b.View().Content
	b.send(tea.BackgroundColorMsg{Color: lipgloss.Color("#FFFFFF")})
	require.NotEqual(t, dark, b.View().Content)
}

func TestHelpNamesEveryKey(t *testing.T) {
	b := shared(t)
	b.keys("?")
	screen := b.screen()
	for _, k := range append(keys.playing(), keys.looking()...) {
		require.Contains(t, screen, k.Help().Desc)
		require.LessOrEqual(t, len(k.Help().Desc), 19) // or the columns shift
	}
	b.send(tea.WindowSizeMsg{Width: view.MinWidth, Height: view.MinHeight})
	screen = b.screen()
	for _, k := range append(keys.playing(), keys.looking()...) {
		require.Contains(t, screen, k.Help().Desc)
	}
	b.keys("q")
	require.Nil(t, b.dialog)
}

func TestQuit(t *testing.T) {
	for _, k := range []string{"q", "ctrl+c"} {
		b := shared(t)
		_, cmd := b.Update(map[string]tea.Msg{"q": tea.KeyPressMsg{Text: "q"}, "ctrl+c": tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}}[k])
		require.IsType(t, tea.QuitMsg{}, cmd())
	}
}

// Many events between two frames are all in the totals.
func TestAsFastAsPossible(t *testing.T) {
	b := play(t, "../scenarios/bursty-chat.yaml", study.Options{})
	for b.show.speed < len(speeds)-1 {
		b.keys("+")
	}
	b.wait(frame)
	require.True(t, b.show.ended())
	require.Positive(t, b.state().Total.Done)
	require.Zero(t, b.state().Waiting())
}

func BenchmarkPlay(b *testing.B) {
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			f, err := scenario.Load("testdata/busy.yaml")
			require.NoError(b, err)
			s, err := newShow(f, study.Options{})
			require.NoError(b, err)
			m := newModel(true)
			m.show = s
			m.width, m.height = size[0], size[1]
			finish(m, s.step())
			now := time.Unix(0, 0)
			for b.Loop() {
				now = now.Add(frame)
				finish(m, m.tick(now))
				m.View()
				if s.ended() {
					finish(m, s.seek(untilTime(0), true))
					s.playing = true
				}
			}
		})
	}
}
