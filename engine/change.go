package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/tfsim/tfsim/core"
)

// ErrFixed says that a part of the configuration holds from start to end.
var ErrFixed = errors.New("engine: fixed while it runs")

// Reconfigure gives the scheduler another configuration, between two actions:
// the work under way goes on as it was begun. Lanes, context, queue and prices
// stay, and drafts cannot come where there were none from the start
// (ErrFixed). A bad configuration changes nothing. It returns once the change
// holds; one that the context gave up on may hold even so.
func (l *Live) Reconfigure(ctx context.Context, c core.Config) error {
	if err := l.MayBecome(&c); err != nil {
		return err
	}
	done, err := l.inbox.change(c)
	if err != nil {
		return err
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// MayBecome says what of another configuration cannot be had, and fills in
// what is not the caller's.
func (l *Live) MayBecome(c *core.Config) error {
	now := l.Config()
	if c.Context == 0 {
		c.Context = l.info.Context
	}
	for _, k := range []struct {
		what       string
		wish, must int
	}{
		{"lanes", c.Lanes, now.Lanes},
		{"context", c.Context, now.Context},
		{"queue", c.Queue, l.queue},
	} {
		if k.wish != k.must {
			return fmt.Errorf("%w: %s cannot change from %d to %d; want %d", ErrFixed, k.what, k.must, k.wish, k.must)
		}
	}
	if c.Drafts && l.hands.plain {
		return fmt.Errorf("%w: drafts cannot come where there were none at the start; want none", ErrFixed)
	}
	c.Queue, c.Prices, c.Sink = now.Queue, now.Prices, now.Sink
	c.LaunchEarly, c.Packing, c.MostBehind = now.LaunchEarly, now.Packing, now.MostBehind
	return fits(c, &l.info)
}

// reconfigure takes the changes that came.
func (l *Live) reconfigure(s *core.Scheduler, now core.Micros) {
	for _, in := range l.changes {
		err := s.Reconfigure(*in.config)
		if err == nil {
			l.record.add(Entry{At: now, Change: noted(*in.config)})
			l.mu.Lock()
			l.config = *in.config
			l.mu.Unlock()
		}
		in.done <- err
	}
	clear(l.changes)
	l.changes = l.changes[:0]
}

// Note tells those who watch what happened around the engine: that the machine
// grew hot, that a setting was changed, that the device was lost. Any goroutine may
// call it.
func (l *Live) Note(text string) {
	l.hub.record(&core.Event{At: l.clock.Now(), Kind: core.EventNote, Slot: -1, Reason: text})
	select {
	case l.notes <- text:
	default: // nobody reads, or not fast enough
	}
}
