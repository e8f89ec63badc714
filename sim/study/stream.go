package study

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/sim"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/workload"
)

// Script is a file ready to be played one cell at a time.
type Script struct{ plan *plan }

// NewScript reads a file's settings and machine. Of the options those that
// choose and change cells count: Set, Arms, Cases, Machine, Noise and Seed.
func NewScript(f *scenario.File, o Options) (*Script, error) {
	p, err := newPlan(f, o)
	if err != nil {
		return nil, err
	}
	return &Script{p}, nil
}

// Title names a cell.
type Title struct{ World, Case, Arm string }

// Cells are the names of the cells, in the order of the results.
func (s *Script) Cells() []Title {
	var titles []Title
	for _, c := range s.plan.cells {
		titles = append(titles, Title{c.world.Name, c.case_.Name, c.arm.name})
	}
	return titles
}

// OriginChange is where a changed setting of a cell comes from.
const OriginChange = "what if"

// Values are the settings that a cell runs with, each with its origin, once
// those given are changed.
func (s *Script) Values(cell int, changed ...Assignment) settings.Values {
	// The errors were the plan's and the change's, too: there are none now.
	arms, _ := Used(s.plan.file, s.plan.opts)
	for _, a := range arms {
		if a.Arm != s.plan.cells[cell].arm.name {
			continue
		}
		for _, c := range changed {
			_ = a.Values.SetFrom(c.Name, c.Text, OriginChange)
		}
		return a.Values
	}
	return settings.Values{}
}

// Change is settings that hold from a moment of a run on: from its first
// decision after that. The zero moment is before the first event.
type Change struct {
	// At is the moment's time, Events how many events come up to it.
	At     core.Micros
	Events int64
	Set    []Assignment
}

// changed gives the cell's arm under a change. What cannot change while a run
// goes on is refused.
func (s *Script) changed(c *cell, change Change) (*arm, error) {
	f := s.plan.file
	set := append(slices.Clone(s.plan.opts.Set), change.Set...)
	for i := range f.Arms {
		if f.Arms[i].Name != c.arm.name {
			continue
		}
		a, err := newArm(f, &f.Arms[i], set, s.plan.table)
		switch {
		case err != nil:
			return nil, err
		case a.config.Lanes != c.arm.config.Lanes:
			return nil, fmt.Errorf("lanes cannot change while it runs (%d to %d): start it with --set --parallel=%d",
				c.arm.config.Lanes, a.config.Lanes, a.config.Lanes)
		case a.cache != c.arm.cache:
			return nil, fmt.Errorf("the prompt cache cannot change while it runs (%g to %g GiB): start it with --set --prompt-cache-gib=%g",
				c.arm.cache, a.cache, a.cache)
		}
		return a, nil
	}
	return nil, fmt.Errorf("no arm %q", c.arm.name)
}

// Stream is a run that goes on only as its events are asked for: nothing is
// played ahead, and a run that nobody asks costs nothing. It starts anew, event
// for event, when its cell is opened again. It is for one caller at a time.
type Stream struct {
	// Config is what the scheduler was told at its start.
	Config core.Config
	// Notes are what the settings say of themselves, those of a change if there
	// is one.
	Notes []string
	// Same says that the settings of a change are those of the run already.
	Same bool

	next func() (result.Line, bool)
	stop func()
	err  error
	held core.Micros
}

// Open starts a cell, given by its place in Cells. The stream must be closed.
func (s *Script) Open(cell int) (*Stream, error) {
	c := s.plan.cells[cell]
	return s.start(c, nil, &Stream{Notes: c.arm.notes})
}

// OpenChanged is Open with a change. Up to its moment the events are those of
// Open; if the settings are the same, they are so to the end.
func (s *Script) OpenChanged(cell int, change Change) (*Stream, error) {
	c := s.plan.cells[cell]
	a, err := s.changed(c, change)
	if err != nil {
		return nil, err
	}
	out := &Stream{Notes: a.notes, Same: reflect.DeepEqual(a.config, c.arm.config)}
	if out.Same {
		return s.start(c, nil, out)
	}
	return s.start(c, &sim.Change{
		At: change.At, Events: change.Events, Config: a.config, Held: func(at core.Micros) { out.held = at },
	}, out)
}

func (s *Script) start(c *cell, change *sim.Change, out *Stream) (*Stream, error) {
	world := truth(c)
	source, err := workload.Open(s.plan.file, c.case_, world.Seed)
	if err != nil {
		return nil, err
	}
	f := newFeed(context.Background(), source, nil, c)
	f.names = map[core.ID]string{}
	out.Config, out.held = c.arm.config, core.Never
	out.next, out.stop = iter.Pull(func(yield func(result.Line) bool) {
		defer f.close()
		tap := &tap{feed: f, yield: yield}
		config := c.arm.config
		config.Sink = tap
		err := guard(func() error {
			_, err := sim.Run{
				Table: s.plan.table, World: world, Config: config, CacheGiB: c.arm.cache, Source: tap, Change: change,
			}.Do()
			return err
		})
		if err != nil && !errors.Is(err, errStopped) {
			out.err = fmt.Errorf("case %s, arm %s: %w", c.case_.Name, c.arm.name, err)
		}
	})
	return out, nil
}

// Next plays on to the next event; ok is false after the last.
func (s *Stream) Next() (line result.Line, ok bool) { return s.next() }

// Err is what ended the run before its end, if anything did.
func (s *Stream) Err() error { return s.err }

// Held is when a change took hold, core.Never before it did.
func (s *Stream) Held() core.Micros { return s.held }

// Close gives the run up. It may be called more than once.
func (s *Stream) Close() { s.stop() }

// tap hands out a run's events one by one and ends the run when nobody wants
// more of them.
type tap struct {
	*feed
	yield   func(result.Line) bool
	stopped bool
}

// Record waits until the event is taken.
func (t *tap) Record(e *core.Event) {
	if !t.stopped {
		t.stopped = !t.yield(result.Line{Event: *e, Request: t.names[e.ID]})
	}
}

// Peek makes an arrival due at once in a run that is given up, for Next to
// refuse it.
func (t *tap) Peek() core.Micros {
	if t.stopped {
		return 0
	}
	return t.feed.Peek()
}

func (t *tap) Next(r *sim.Request) error {
	if t.stopped {
		return errStopped
	}
	return t.feed.Next(r)
}
