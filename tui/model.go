package tui

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tui/state"
	"github.com/tfsim/tfsim/tui/view"
)

// frame is the time between two ticks. A screen of many cells is drawn on
// fewer of them, as its cost grows with its cells.
const (
	frame     = 40 * time.Millisecond
	manyCells = 6000
)

// windows are the times that the strip can span.
var windows = [...]core.Micros{
	500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 30_000_000, 60_000_000, 120_000_000,
	300_000_000, 600_000_000, 1_800_000_000, 3_600_000_000,
}

const usualWindow = 4

// Model is the whole dashboard: of a show, or of a live server.
type Model struct {
	show *show
	live *follower

	width, height int
	color         bool
	theme         *view.Theme
	grid          view.Grid
	text          string
	// stale says that text does not show what there is; drawn is what of a show
	// the last frame was of.
	stale bool
	drawn seen

	focus  view.Pane
	slot   int
	round  int64
	row    int
	window int
	mouse  bool
	dialog dialog
	// message is the last thing to say, alarm that it is an error.
	message string
	alarm   bool
	ticked  time.Time
	ticks   int
	err     error
}

func newModel(color bool) *Model {
	return &Model{width: 80, height: 24, color: color, theme: view.NewTheme(true, color), window: usualWindow, stale: true}
}

type tickMsg time.Time

func tick() tea.Cmd {
	return tea.Tick(frame, func(t time.Time) tea.Msg { return tickMsg(t) })
}

// Init starts the clock and the events.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{tick(), tea.RequestBackgroundColor}
	if m.show != nil {
		cmds = append(cmds, m.show.step())
	} else {
		cmds = append(cmds, m.live.wait())
	}
	return tea.Batch(cmds...)
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tickMsg:
		return m, tea.Batch(m.tick(time.Time(msg)), tick())
	case batchMsg:
		msg.to.take(msg)
		m.note()
		if m.show.busy() {
			return m, m.show.step()
		}
	case settingsMsg:
		m.stale = true
		if m.message, m.alarm = "", msg.err != nil; m.alarm {
			m.message = msg.err.Error()
		} else if m.dialog == nil {
			m.dialog = newEditor(msg.values, msg.unset, onServer)
		}
	case changedMsg:
		m.message, m.alarm, m.stale = msg.said, msg.failed, true
	case newsMsg:
		m.live.take(msg)
		return m, m.live.wait()
	case tea.WindowSizeMsg:
		m.width, m.height, m.stale = msg.Width, msg.Height, true
	case tea.BackgroundColorMsg:
		m.theme, m.stale = view.NewTheme(msg.IsDark(), m.color), true
	case tea.KeyPressMsg:
		m.stale = true
		cmd := m.press(msg)
		m.note()
		return m, cmd
	case tea.MouseClickMsg:
		m.stale = true
		m.click(msg.Y)
	case tea.MouseWheelMsg:
		m.stale = true
		if msg.Button == tea.MouseWheelUp {
			m.moveCursor(-1)
		} else {
			m.moveCursor(1)
		}
	}
	return m, nil
}

func (m *Model) tick(now time.Time) tea.Cmd {
	passed := time.Duration(0)
	if !m.ticked.IsZero() {
		// After a sleep the run does not leap.
		passed = min(max(now.Sub(m.ticked), 0), 250*time.Millisecond)
	}
	m.ticked = now
	m.ticks++
	due := m.ticks%(1+m.width*m.height/manyCells) == 0
	if m.show == nil {
		m.stale = m.stale || due && m.live.changed
		return nil
	}
	cmd := m.show.tick(passed)
	m.note()
	m.stale = m.stale || due && m.drawn != m.show.seen()
	return cmd
}

// note takes up what the show has to say.
func (m *Model) note() {
	if m.show == nil {
		return
	}
	if m.show.said != "" {
		m.message, m.alarm, m.stale = m.show.said, false, true
		m.show.said = ""
	}
	for _, p := range []*player{m.show.main, m.show.other} {
		if p != nil && p.err != nil && m.err == nil {
			m.err = p.err
			m.message, m.alarm, m.stale = p.err.Error(), true, true
		}
	}
}

func (m *Model) state() *state.State {
	if m.show != nil {
		return m.show.state()
	}
	return m.live.state
}

func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	m.message, m.alarm = "", false
	if k.String() == "ctrl+c" {
		return tea.Quit
	}
	if m.dialog != nil {
		stays, cmd := m.dialog.press(m, k)
		if !stays {
			m.dialog = nil
		}
		return cmd
	}
	switch {
	case key.Matches(k, keys.Quit):
		return tea.Quit
	case key.Matches(k, keys.Help):
		m.dialog = &helpDialog{live: m.show == nil}
	case key.Matches(k, keys.Next):
		m.setFocus(view.NextPane(m.focus, 1, m.compared()))
	case key.Matches(k, keys.Previous):
		m.setFocus(view.NextPane(m.focus, -1, m.compared()))
	case key.Matches(k, keys.Up):
		m.moveCursor(-1)
	case key.Matches(k, keys.Down):
		m.moveCursor(1)
	case key.Matches(k, keys.Top):
		m.moveCursor(-1 << 30)
	case key.Matches(k, keys.Bottom):
		m.moveCursor(1 << 30)
	case key.Matches(k, keys.Open):
		m.open()
	case key.Matches(k, keys.Close):
		m.focus, m.round, m.row = view.Slots, 0, 0
	case key.Matches(k, keys.In):
		m.window = max(m.window-1, 0)
	case key.Matches(k, keys.Out):
		m.window = min(m.window+1, len(windows)-1)
	case key.Matches(k, keys.Mouse):
		m.mouse = !m.mouse
		m.message = "The mouse is " + map[bool]string{true: "on: click a slot, turn the wheel.", false: "off."}[m.mouse]
	case m.show != nil:
		return m.play(k)
	case key.Matches(k, keys.Settings):
		return m.live.settings()
	default:
		if matchesAny(k, keys.playing()) {
			m.message = "A live server is only watched: this key is for simulations."
		}
	}
	return nil
}

func matchesAny(k tea.KeyPressMsg, bindings []key.Binding) bool {
	return key.Matches(k, bindings...)
}

// play handles the keys of a simulation.
func (m *Model) play(k tea.KeyPressMsg) tea.Cmd {
	s := m.show
	half := windows[m.window] / 2
	switch {
	case key.Matches(k, keys.Pause):
		s.toggle()
		return s.step()
	case key.Matches(k, keys.Round):
		return s.jump("round", rounds)
	case key.Matches(k, keys.Step):
		return s.jump("prompt step", steps)
	case key.Matches(k, keys.Stall):
		return s.jump("stall", stalls)
	case key.Matches(k, keys.Finish):
		return s.jump("finish", ended)
	case key.Matches(k, keys.Back):
		return s.back()
	case key.Matches(k, keys.Ahead):
		return s.move(half)
	case key.Matches(k, keys.Behind):
		return s.move(-half)
	case key.Matches(k, keys.Start):
		return s.seek(untilTime(0), true)
	case key.Matches(k, keys.End):
		return s.seek(untilEnd(), false)
	case key.Matches(k, keys.Faster):
		s.faster(1)
	case key.Matches(k, keys.Slower):
		s.faster(-1)
		s.clock = float64(s.main.state.Now)
	case key.Matches(k, keys.Cells):
		m.dialog = newCellsDialog(s.cells, s.main.cell)
	case key.Matches(k, keys.Settings):
		m.dialog = newEditor(s.values(), nil, onRun)
	case key.Matches(k, keys.Drop):
		s.drop()
		if m.focus == view.Compare {
			m.focus = view.Slots
		}
	}
	return nil
}

// change plays with a changed setting beside the run, or changes the server's.
func (m *Model) change(name, text string) (tea.Cmd, error) {
	if m.show == nil {
		return m.live.change(name, text), nil
	}
	cmd, stream, err := m.show.change(name, text)
	if err != nil {
		return nil, err
	}
	if stream.Same {
		m.message = "Nothing changes: the run has this setting already."
	}
	for _, n := range stream.Notes {
		if strings.HasPrefix(n, name+"=") {
			m.message = n // it has no effect, and why
		}
	}
	return cmd, nil
}

func (m *Model) compared() bool { return m.show != nil && m.show.other != nil }

func (m *Model) setFocus(p view.Pane) {
	m.focus, m.row = p, 0
	if p == view.Slots {
		m.round = 0
	}
}

// open shows the details of what is selected.
func (m *Model) open() {
	if m.focus == view.Rounds && m.round == 0 {
		m.round = m.state().Total.Rounds
	}
	if m.focus == view.Slots || m.focus == view.Rounds {
		m.focus = view.Detail
	}
}

// moveCursor moves the selection of the pane with the focus.
func (m *Model) moveCursor(by int) {
	st := m.state()
	switch m.focus {
	case view.Rounds:
		newest := st.Total.Rounds
		at := m.round
		if at == 0 {
			at = newest
		}
		at = max(at-int64(by), newest-int64(st.Rounds.Len())+1, 1)
		if at >= newest {
			at = 0 // the newest, whichever it is
		}
		m.round = at
	case view.Costs:
		m.row = min(max(m.row+by, 0), max(len(st.Shapes())-1, 0))
	case view.Queue:
		m.row = min(max(m.row+by, 0), max(st.Waiting()+st.Ended.Len()-1, 0))
	case view.Totals:
		m.row = min(max(m.row+by, 0), view.MostTotals)
	default:
		m.slot = min(max(m.slot+by, 0), max(len(st.Slots)-1, 0))
	}
}

// click selects the slot in a row of the screen.
func (m *Model) click(y int) {
	if slot, ok := view.SlotAt(m.scene(), m.height, y); ok && m.dialog == nil {
		m.slot = slot
		m.setFocus(view.Slots)
	}
}

// View gives the last frame, drawn anew if it is stale.
func (m *Model) View() tea.View {
	if m.stale {
		m.draw()
		m.text, m.stale = m.grid.Text(m.theme), false
	}
	v := tea.NewView(m.text)
	v.AltScreen = true
	v.WindowTitle = "tfsim"
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// draw fills the grid.
func (m *Model) draw() {
	m.slot = min(m.slot, max(len(m.state().Slots)-1, 0))
	if m.show != nil {
		m.drawn = m.show.seen()
	} else {
		m.live.changed = false
	}
	m.grid.Reset(m.width, m.height)
	view.Draw(&m.grid, m.scene())
}

// scene is what the frame shows.
func (m *Model) scene() *view.Scene {
	s := &view.Scene{
		State: m.state(), Message: m.message, Alarm: m.alarm,
		Focus: m.focus, Slot: m.slot, Round: m.round, Row: m.row,
		Window: windows[m.window], Help: keys.brief(m.show == nil),
	}
	if m.dialog != nil {
		s.Overlay = m.dialog.overlay()
	}
	if m.show == nil {
		s.Title, s.Mode = m.live.title(), m.live.mode()
		if m.live.news.Trouble != "" {
			s.Message, s.Alarm = m.live.trouble(), m.live.news.Connects > 0
		}
		return s
	}
	s.Title, s.Mode, s.Ahead = m.show.title(), m.show.mode(), m.show.main.ahead()
	if o := m.show.other; o != nil {
		s.Other, s.OtherAhead, s.Held = o.state, o.ahead(), o.held
		for _, c := range m.show.changed {
			s.Changed = append(s.Changed, changeOf(c))
		}
	}
	return s
}

// changeOf is a changed setting in words.
func changeOf(c study.Assignment) string {
	if strings.TrimSpace(c.Text) == "" {
		return c.Name + " unset"
	}
	return c.Name + "=" + c.Text
}
