package engine

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/tfsim/tfsim/core"
)

// hub hands events to those who watch. It never waits for them.
type hub struct {
	mu       sync.Mutex
	watchers map[*Watch]struct{}
	// seen are the first events of the requests in flight, for those who come
	// in the middle.
	seen   []core.Event
	missed uint64
	closed bool
}

// Watch is one watcher of an engine's events.
type Watch struct {
	hub  *hub
	wake chan struct{}

	// Under the hub's lock: a ring of events not yet taken.
	ring  []core.Event
	first int
	held  int
	gap   int
}

// Watch follows the events from now on; those that brought the requests in
// flight to where they are come first. The watcher holds up to room events and
// misses the newest ones beyond. Stop ends it.
func (l *Live) Watch(room int) *Watch {
	h := &l.hub
	w := &Watch{hub: h, wake: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	w.ring = make([]core.Event, max(room, len(h.seen), 1))
	w.held = copy(w.ring, h.seen)
	if h.watchers == nil {
		h.watchers = make(map[*Watch]struct{})
	}
	h.watchers[w] = struct{}{}
	w.wakeUp()
	return w
}

// Next appends the events that came, and says how many were missed before
// them. It waits for the first; the error is the context's, or io.EOF once the
// engine has stopped.
func (w *Watch) Next(ctx context.Context, events []core.Event) (_ []core.Event, gap int, err error) {
	for {
		w.hub.mu.Lock()
		gap, w.gap = w.gap, 0
		for ; w.held > 0; w.held-- {
			events = append(events, w.ring[w.first])
			w.first = (w.first + 1) % len(w.ring)
		}
		closed := w.hub.closed
		w.hub.mu.Unlock()
		switch {
		case len(events) > 0 || gap > 0:
			return events, gap, nil
		case closed:
			return nil, 0, io.EOF
		}
		select {
		case <-w.wake:
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		}
	}
}

// Stop ends the watching.
func (w *Watch) Stop() {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	delete(w.hub.watchers, w)
}

func (w *Watch) wakeUp() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (h *hub) record(e *core.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch e.Kind {
	case core.EventSubmitted, core.EventAdmitted:
		h.seen = append(h.seen, *e)
	case core.EventFinished, core.EventCancelled, core.EventFailed:
		h.seen = slices.DeleteFunc(h.seen, func(o core.Event) bool { return o.ID == e.ID })
	}
	for w := range h.watchers {
		if w.held == len(w.ring) {
			w.gap++
			h.missed++
			continue
		}
		w.ring[(w.first+w.held)%len(w.ring)] = *e
		w.held++
		w.wakeUp()
	}
}

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for w := range h.watchers {
		w.wakeUp()
	}
}
