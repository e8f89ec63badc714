package tui

import (
	"math"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tui/state"
)

// speeds are how fast a simulation plays, in seconds a second; the last is as
// fast as it goes.
var speeds = [...]float64{0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 1000, math.Inf(1)}

var speedNames = [...]string{"0.1×", "¼×", "½×", "1×", "2×", "5×", "10×", "25×", "50×", "100×", "1000×", "max"}

const normal = 3 // the place of 1×

// show plays a simulation, and a second one beside it under changed settings.
type show struct {
	file  *scenario.File
	cells []study.Title
	// changed are the settings that the second run has changed.
	changed []study.Assignment

	main, other *player

	speed   int
	playing bool
	// goal is where both runs are going besides, nil for nowhere.
	goal *goal
	// clock is the time that playing has come to.
	clock float64
	// limit is the time up to which the second run may go.
	limit core.Micros
	// said is what to tell once.
	said string
}

func newShow(f *scenario.File, o study.Options) (*show, error) {
	script, err := study.NewScript(f, o)
	if err != nil {
		return nil, err
	}
	s := &show{file: f, cells: script.Cells(), speed: normal, playing: true, main: newPlayer(script, 0)}
	s.main.open()
	return s, s.main.err
}

func (s *show) state() *state.State { return s.main.state }

// tick lets real time pass.
func (s *show) tick(passed time.Duration) tea.Cmd {
	if s.playing && s.goal == nil && s.speed < len(speeds)-1 {
		s.clock += float64(passed.Microseconds()) * speeds[s.speed]
	}
	return s.step()
}

// step applies what is due and fetches what will be.
func (s *show) step() tea.Cmd {
	if !s.catchUp() {
		return s.fetch()
	}
	s.advance()
	s.follow()
	if s.playing && s.ended() {
		s.playing, s.said = false, "The run is over: 0 to the start, h back."
	}
	return s.fetch()
}

// catchUp brings a second run that is behind the moment of the change to it,
// and reports whether it is there. The first one waits meanwhile.
func (s *show) catchUp() bool {
	o := s.other
	if o == nil || o.marked || s.main.state.Now < o.mark.at {
		return true
	}
	if !o.run(untilTime(o.mark.at).beyond) && !o.ended() {
		return false
	}
	if !o.marked {
		o.setMark()
	}
	return true
}

// advance moves the first run on, and the limit of the second.
func (s *show) advance() {
	p := s.main
	switch {
	case s.goal != nil:
		s.reach()
	case !s.playing:
		return
	case s.speed == len(speeds)-1:
		p.run(untilEnd().beyond)
		s.clock = float64(p.state.Now)
	default:
		s.limit = core.Micros(s.clock)
		if p.run(untilTime(s.limit).beyond) {
			p.state.Advance(s.limit)
		} else if !p.ended() {
			s.clock = float64(p.state.Now) // it waits for events
			s.limit = p.state.Now
		}
		return
	}
	s.limit = p.state.Now
	if p.ended() {
		s.limit = core.Never
	}
}

// reach goes on to the goal.
func (s *show) reach() {
	p := s.main
	switch {
	case p.run(s.goal.beyond):
		if s.goal.to != core.Never {
			p.state.Advance(s.goal.to)
		}
	case !p.ended():
		return
	case s.goal.what != "" && !s.goal.met(p.state):
		s.said = "The run is over: no further " + s.goal.what + "."
	}
	s.goal = nil
	s.clock = float64(p.state.Now)
}

// follow brings the second run to its limit.
func (s *show) follow() {
	if s.other != nil && s.other.run(untilTime(s.limit).beyond) {
		s.other.state.Advance(s.limit)
	}
}

// ended says that nothing is left to play.
func (s *show) ended() bool { return s.main.ended() && (s.other == nil || s.other.ended()) }

func (s *show) fetch() tea.Cmd {
	cmds := []tea.Cmd{s.main.fetch()}
	if s.other != nil {
		cmds = append(cmds, s.other.fetch())
	}
	return tea.Batch(cmds...)
}

// busy says that work goes on without a tick: events are wanted at once.
func (s *show) busy() bool {
	o := s.other
	return s.goal != nil || s.playing && s.speed == len(speeds)-1 ||
		o != nil && !o.ended() && (!o.marked && s.main.state.Now >= o.mark.at || o.next() == nil && o.state.Now < s.limit)
}

func (s *show) toggle() {
	s.goal = nil
	s.playing = !s.playing && !s.ended()
	s.clock = float64(s.main.state.Now)
	if s.other != nil && s.main.ended() {
		s.clock = float64(s.other.state.Now)
	}
}

// seek goes to a goal; one in the past from the start.
func (s *show) seek(g goal, past bool) tea.Cmd {
	s.playing, s.goal = false, &g
	if past {
		s.limit = 0
		s.main.open()
		if s.other != nil {
			s.other.open()
		}
	}
	return s.step()
}

// jump goes on to the next time that a figure grows.
func (s *show) jump(what string, figure func(*state.Figures) int64) tea.Cmd {
	return s.seek(untilCount(what, figure, figure(&s.main.state.Total)+1), false)
}

// back goes one round back.
func (s *show) back() tea.Cmd {
	n := s.main.state.Total.Rounds - 1
	if n < 1 {
		return s.seek(untilTime(0), true)
	}
	return s.seek(untilCount("", rounds, n), true)
}

// move goes to another time.
func (s *show) move(by core.Micros) tea.Cmd {
	to := max(s.main.state.Now+by, 0)
	return s.seek(untilTime(to), to < s.main.state.Now)
}

func (s *show) faster(by int) { s.speed = min(max(s.speed+by, 0), len(speeds)-1) }

// seen is what a frame depends on.
type seen struct {
	main, other   *state.State
	events        [2]int64
	now, otherNow core.Micros
	mode          string
}

func (s *show) seen() seen {
	out := seen{main: s.main.state, now: s.main.state.Now, mode: s.mode()}
	out.events[0] = s.main.state.Total.Events
	if s.other != nil {
		out.other, out.otherNow = s.other.state, s.other.state.Now
		out.events[1] = s.other.state.Total.Events
	}
	return out
}

// mode says how it plays.
func (s *show) mode() string {
	switch {
	case s.goal != nil:
		return "» seeks"
	case s.ended():
		return "■ over"
	case s.playing:
		return "▶ " + speedNames[s.speed]
	}
	return "‖ " + speedNames[s.speed]
}

// title names what is played.
func (s *show) title() string {
	c := s.cells[s.main.cell]
	text := s.file.Name + " · " + c.Case + " · " + c.Arm
	if c.World != "" {
		text += " · " + c.World
	}
	return text
}

// choose plays another cell from its start.
func (s *show) choose(cell int) tea.Cmd {
	s.main.close()
	s.main = newPlayer(s.main.script, cell)
	s.main.open()
	s.drop()
	s.playing, s.goal, s.clock, s.limit = true, nil, 0, 0
	return s.step()
}

// drop gives the second run up.
func (s *show) drop() {
	if s.other != nil {
		s.other.close()
	}
	s.other, s.changed = nil, nil
}

// change sets one more setting in the second run, blank as in no setting. That
// run is made anew: as the first up to now, with all that was changed from now
// on. On an error nothing changes.
func (s *show) change(name, text string) (tea.Cmd, *study.Stream, error) {
	changed := append(slices.Clone(s.changed), study.Assignment{Name: name, Text: text})
	now := moment{s.main.state.Now, s.main.state.Total.Events}
	other := newPlayer(s.main.script, s.main.cell)
	other.change = &study.Change{At: now.at, Events: now.events, Set: changed}
	if now.at == 0 {
		other.change.Events = 0 // at the start it has it from the first decision on
	}
	other.open()
	if other.err != nil {
		return nil, nil, other.err
	}
	if s.other != nil {
		s.other.close()
	}
	s.other, s.changed = other, changed
	s.main.mark, s.other.mark = now, now
	s.main.setMark()
	return s.step(), other.stream, nil
}

// values are the settings of the run that was changed last.
func (s *show) values() settings.Values {
	return s.main.script.Values(s.main.cell, s.changed...)
}
