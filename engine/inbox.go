package engine

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/tfsim/tfsim/core"
)

// Errors of Submit. Those of core, ErrRequest and ErrContext, are given as
// well.
var (
	// ErrFull: as many requests are in flight as the bound allows.
	ErrFull = errors.New("engine: full")
	// ErrDraining: the engine finishes what it has and takes nothing new.
	ErrDraining = errors.New("engine: shutting down")
)

// note is a submit, the cancel of a request, the wish that the device be
// looked after, or another configuration.
type note struct {
	at     core.Micros
	reply  *Reply
	cancel bool
	looked chan error
	config *core.Config
	done   chan error // of a config
}

// inbox holds the inputs that the loop has not seen.
type inbox struct {
	clock LiveClock
	bound int // most requests in flight, 0 for no bound
	take  func(s *core.Scheduler, in note)
	// rest is called whenever inputs were delivered and no action is
	// outstanding.
	rest func(s *core.Scheduler, now core.Micros)

	mu       sync.Mutex
	inputs   []note
	spare    []note
	inFlight map[*Reply]struct{}
	last     core.ID
	draining bool
	refused  uint64
}

// submit gives a reply its number and a place in the order.
func (b *inbox) submit(r *Reply) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.draining:
		return ErrDraining
	case b.bound > 0 && len(b.inFlight) >= b.bound:
		b.refused++
		return ErrFull
	}
	b.inFlight[r] = struct{}{}
	b.last++
	r.id = b.last
	r.sent = b.clock.Now()
	b.inputs = append(b.inputs, note{at: r.sent, reply: r})
	b.clock.Wake()
	return nil
}

func (b *inbox) cancel(r *Reply) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inputs = append(b.inputs, note{at: b.clock.Now(), reply: r, cancel: true})
	b.clock.Wake()
}

// check asks for a look at the device; the channel gets what it says.
func (b *inbox) check() (<-chan error, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.draining {
		return nil, ErrDraining
	}
	looked := make(chan error, 1)
	b.inputs = append(b.inputs, note{at: b.clock.Now(), looked: looked})
	b.clock.Wake()
	return looked, nil
}

// change asks for another configuration; the channel gets what became of it.
func (b *inbox) change(c core.Config) (<-chan error, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.draining {
		return nil, ErrDraining
	}
	done := make(chan error, 1)
	b.inputs = append(b.inputs, note{at: b.clock.Now(), config: &c, done: done})
	b.clock.Wake()
	return done, nil
}

// ended notes that a request is over.
func (b *inbox) ended(r *Reply) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.inFlight, r)
}

// cancelAll gives up every request in flight.
func (b *inbox) cancelAll() {
	b.mu.Lock()
	all := slices.Collect(maps.Keys(b.inFlight))
	b.mu.Unlock()
	for _, r := range all {
		r.giveUp(ErrDraining)
	}
}

// close takes nothing new any more.
func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.draining = true
	b.clock.Wake()
}

// Next is the stamp of the first input. While more may come it is never
// never, so that the loop waits.
func (b *inbox) Next() core.Micros {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case len(b.inputs) > 0:
		return b.inputs[0].at
	case b.draining && len(b.inFlight) == 0:
		return core.Never
	}
	return someTime
}

// Deliver hands inputs over in their order.
func (b *inbox) Deliver(s *core.Scheduler, now core.Micros) error {
	b.mu.Lock()
	n := 0
	for n < len(b.inputs) && b.inputs[n].at <= now {
		n++
	}
	due := b.spare[:0]
	due = append(due, b.inputs[:n]...)
	b.inputs = append(b.inputs[:0], b.inputs[n:]...)
	b.mu.Unlock()
	for _, in := range due {
		b.take(s, in) // without the lock: it may end requests
	}
	clear(due)
	b.spare = due[:0]
	if !s.Outstanding() {
		b.rest(s, now)
	}
	return nil
}

// left gives what was never delivered.
func (b *inbox) left() []note {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.draining = true
	left := b.inputs
	b.inputs = nil
	return left
}
