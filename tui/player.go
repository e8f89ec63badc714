package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tui/state"
)

const (
	// batch is the number of events fetched at a time, low that at which more
	// are fetched.
	batch = 4096
	low   = 256
)

// player holds one run: what of it was applied, and the events fetched beyond.
type player struct {
	script *study.Script
	cell   int
	// change is what is changed in it, nil for nothing.
	change *study.Change
	stream *study.Stream
	state  *state.State
	lines  []result.Line
	at     int
	// opened tells batches of this stream from those of one given up.
	opened   int
	fetching bool
	over     bool // the stream has no more events
	err      error
	// mark is where Part begins.
	mark   moment
	marked bool
	// held is when the change took hold, core.Never while that is unknown.
	held core.Micros
}

// moment is a time and how many events come up to it.
type moment struct {
	at     core.Micros
	events int64
}

// never is no moment.
var never = moment{at: core.Never}

func newPlayer(script *study.Script, cell int) *player {
	return &player{script: script, cell: cell, mark: never, held: core.Never}
}

// open starts the run anew.
func (p *player) open() {
	p.close()
	p.opened++
	p.lines, p.at, p.fetching, p.over, p.err, p.marked = nil, 0, false, false, nil, false
	p.held = core.Never
	var stream *study.Stream
	var err error
	if p.change == nil {
		stream, err = p.script.Open(p.cell)
	} else {
		stream, err = p.script.OpenChanged(p.cell, *p.change)
	}
	if err != nil {
		p.err, p.over = err, true
		p.state = state.New(state.Setup{})
		return
	}
	p.stream = stream
	p.state = state.New(state.Setup{Lanes: stream.Config.Lanes, Promised: stream.Config.PromptShare, Steps: stream.Config.Steps})
}

// close gives the stream up; one that is being read is closed by its batch.
func (p *player) close() {
	if p.stream != nil && !p.fetching {
		p.stream.Close()
	}
	p.stream = nil
}

// batchMsg is a batch of events.
type batchMsg struct {
	to     *player
	opened int
	stream *study.Stream
	lines  []result.Line
	over   bool
	err    error
	held   core.Micros
}

// fetch gives the command that reads on, if that is needed.
func (p *player) fetch() tea.Cmd {
	if p.fetching || p.over || p.stream == nil || len(p.lines)-p.at > low {
		return nil
	}
	p.fetching = true
	stream, opened := p.stream, p.opened
	return func() tea.Msg {
		m := batchMsg{to: p, opened: opened, stream: stream, lines: make([]result.Line, 0, batch)}
		for len(m.lines) < batch {
			line, ok := stream.Next()
			if !ok {
				m.over, m.err = true, stream.Err()
				break
			}
			m.lines = append(m.lines, line)
		}
		m.held = stream.Held()
		return m
	}
}

// take takes a batch; one of a stream given up is dropped with it.
func (p *player) take(m batchMsg) {
	if m.opened != p.opened || p.stream == nil {
		m.stream.Close()
		return
	}
	p.fetching = false
	p.lines = append(append(make([]result.Line, 0, len(p.lines)-p.at+len(m.lines)), p.lines[p.at:]...), m.lines...)
	p.at = 0
	p.over, p.err, p.held = m.over, m.err, m.held
	if p.over {
		p.stream.Close()
	}
}

// next is the event to come, nil if none is known.
func (p *player) next() *core.Event {
	if p.at == len(p.lines) {
		return nil
	}
	return &p.lines[p.at].Event
}

// ended says that every event was applied.
func (p *player) ended() bool { return p.over && p.at == len(p.lines) }

// run applies events until the next one is beyond the goal, and reports
// whether one is: false is that events are missing or that there are no more.
func (p *player) run(beyond func(next *core.Event, s *state.State) bool) bool {
	for p.at < len(p.lines) {
		line := &p.lines[p.at]
		if beyond(&line.Event, p.state) {
			return true
		}
		if !p.marked && line.At >= p.mark.at && p.state.Total.Events >= p.mark.events {
			p.setMark()
		}
		p.state.Apply(&line.Event, line.Request)
		p.at++
	}
	return false
}

// setMark begins Part at the mark.
func (p *player) setMark() {
	p.marked = true
	p.state.Advance(p.mark.at)
	p.state.Mark()
}

// ahead is the action that the device does now: the next one to end.
func (p *player) ahead() *core.Event {
	for i := p.at; i < min(len(p.lines), p.at+low); i++ {
		switch e := &p.lines[i].Event; e.Kind {
		case core.EventBegin, core.EventStep, core.EventPass, core.EventRound:
			return e
		}
	}
	return nil
}
