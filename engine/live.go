package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
)

// Options say how a live engine runs.
type Options struct {
	// Config is the scheduler's. Its lanes, rows, block and context must not
	// exceed the device's; a Sink in it gets the events as they are made, on
	// the loop, and must not wait. Its Queue is enforced by Submit.
	Config core.Config
	// CacheBytes bounds the kept states of whole prompts; 0 keeps none.
	CacheBytes int64
	// Clock is the wall's if nil.
	Clock LiveClock
	// RestartPause is how long to wait after a restart that failed; 0 is a
	// quarter of a second.
	RestartPause time.Duration
	// Record, if not nil, gets all that goes into the scheduler and what it
	// decides, for Replay. Note, which goes along, is to say how to make the
	// Prices of the configuration again.
	Record io.Writer
	Note   any
	// Notes, if not nil, gets each text of a note; one that it has no room for
	// is left out.
	Notes chan<- string
}

// Live serves requests on a device.
type Live struct {
	info    device.Info
	clock   LiveClock
	sched   *core.Scheduler
	hands   *hands
	inbox   *inbox
	hub     hub
	sink    core.Sink
	notes   chan<- string
	queue   int                // most requests that wait
	record  *recorder          // nil for none
	replies map[core.ID]*Reply // the loop's own
	changes []note             // the loop's own: they wait for the end of an action
	abort   context.CancelFunc
	stopped chan struct{}
	err     error // why the loop stopped; read after stopped

	mu     sync.Mutex
	stats  Stats
	config core.Config
}

// Start checks the options against the device and starts the loop. The device
// is the engine's until Drain or Close has returned; closing it is the
// caller's.
func Start(d device.Device, o Options) (*Live, error) {
	info := *d.Info()
	if err := fits(&o.Config, &info); err != nil {
		return nil, err
	}
	if o.Config.Context == 0 {
		o.Config.Context = info.Context
	}
	if o.Clock == nil {
		o.Clock = WallClock()
	}
	if o.RestartPause == 0 {
		o.RestartPause = time.Second / 4
	}
	ctx, abort := context.WithCancel(context.Background())
	l := &Live{
		info: info, clock: o.Clock, sink: o.Config.Sink, notes: o.Notes,
		replies: make(map[core.ID]*Reply), abort: abort, stopped: make(chan struct{}),
	}
	l.inbox = &inbox{clock: o.Clock, take: l.deliver, rest: l.reconfigure, inFlight: make(map[*Reply]struct{})}
	l.queue = o.Config.Queue
	if l.queue > 0 {
		l.inbox.bound = o.Config.Lanes + l.queue
	}
	o.Config.Queue, o.Config.Sink = 0, l
	o.Config.LaunchEarly = false // a device launches nothing by itself
	o.Config.Packing, o.Config.MostBehind = info.Shapes.Packing(), info.DraftBehind
	l.config = o.Config
	var err error
	if l.sched, err = core.New(o.Config); err != nil {
		abort()
		return nil, err
	}
	l.hands = &hands{
		device: d, info: &l.info, clock: o.Clock, find: l.find, cache: newCache(o.CacheBytes),
		plain: !o.Config.Drafts, slots: make([]*Reply, info.Slots),
		revive: reviver{ctx: ctx, device: d, pause: o.RestartPause, tell: l.Note},
	}
	if o.Record != nil {
		if l.record, err = newRecorder(o.Record, o.Config, o.Note, l.Note); err != nil {
			abort()
			return nil, err
		}
	}
	go l.loop()
	return l, nil
}

// fits says what of a configuration the device cannot do.
func fits(c *core.Config, info *device.Info) error {
	for _, k := range []struct {
		what      string
		has, most int
	}{
		{"lanes", c.Lanes, info.Slots},
		{"launch rows", c.LaunchRows, info.Shapes.LaunchRows},
		{"context", c.Context, info.Context},
		{"block", min(c.Block, c.DraftDepth), info.DraftDepth},
	} {
		if k.what == "block" && !c.Drafts {
			continue
		}
		if k.has > k.most {
			return fmt.Errorf("engine: %s %d: the device has %d", k.what, k.has, k.most)
		}
	}
	return nil
}

// Info is the device's.
func (l *Live) Info() *device.Info { return &l.info }

// Config is the scheduler's configuration.
func (l *Live) Config() core.Config {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.config
}

// Submit takes a request. Once the context is over, the request is cancelled.
// The error is core.ErrRequest, core.ErrContext or device.ErrToken with what
// is wrong, ErrFull, ErrDraining, or why the engine stopped.
func (l *Live) Submit(ctx context.Context, r Request) (*Reply, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if err := l.check(&r); err != nil {
		return nil, err
	}
	reply := &Reply{request: r, inbox: l.inbox, wake: make(chan struct{}, 1), inexact: l.info.Promise.Level != device.Exact}
	reply.result.Prompt = len(r.Prompt)
	reply.ctx, reply.stop = context.WithCancel(context.Background())
	if err := l.inbox.submit(reply); err != nil {
		reply.stop()
		select {
		case <-l.stopped:
			if l.err != nil {
				return nil, l.err
			}
		default:
		}
		return nil, err
	}
	reply.watch(ctx)
	return reply, nil
}

// Check looks whether the device is there, and brings it back where it is
// lost: an idle engine would notice with the next request alone.
func (l *Live) Check(ctx context.Context) error {
	looked, err := l.inbox.check()
	if err != nil {
		return err
	}
	select {
	case err := <-looked:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// check refuses what core or the device would refuse, and fills in Output.
func (l *Live) check(r *Request) error {
	context := l.Config().Context
	room := context - len(r.Prompt)
	switch {
	case len(r.Prompt) == 0:
		return fmt.Errorf("%w: the prompt has no tokens", core.ErrRequest)
	case r.Output < 0:
		return fmt.Errorf("%w: output of %d tokens", core.ErrRequest, r.Output)
	case room < max(r.Output, 1):
		return fmt.Errorf("%w: prompt of %d tokens and %d to come, context %d", core.ErrContext, len(r.Prompt), max(r.Output, 1), context)
	}
	for _, t := range r.Prompt {
		if t < 0 || int(t) >= l.info.Vocabulary {
			return fmt.Errorf("%w: %d; the vocabulary has %d", device.ErrToken, t, l.info.Vocabulary)
		}
	}
	if r.Output == 0 {
		r.Output = room
	}
	return r.Sampling.Check()
}

// deliver hands one input to the scheduler.
func (l *Live) deliver(s *core.Scheduler, in note) {
	r := in.reply
	if in.looked != nil {
		in.looked <- l.hands.look()
		return
	}
	if in.config != nil {
		l.changes = append(l.changes, in)
		return
	}
	if in.cancel {
		l.record.add(Entry{At: in.at, Cancel: r.id})
		s.Cancel(in.at, r.id)
		return
	}
	l.replies[r.id] = r
	q := core.Request{
		ID: r.id, Prompt: len(r.request.Prompt), Output: r.request.Output,
		Background: r.request.Background, NoDraft: r.request.NoDraft,
	}
	if l.hands.cache.on() {
		q.Prefix, q.PrefixRows = l.prefix(r)
	}
	l.record.add(Entry{At: in.at, Submit: &q})
	if err := s.Submit(in.at, q); err != nil {
		delete(l.replies, r.id)
		r.end(in.at, "failed", err)
	}
}

func (l *Live) find(id core.ID) *Reply { return l.replies[id] }

// loop runs until nothing is left to come.
func (l *Live) loop() {
	defer close(l.stopped)
	l.err = l.run()
	if err := l.record.close(l.clock.Now()); l.err == nil {
		l.err = err
	}
	l.abort()
	now := l.clock.Now()
	why := l.err
	if why == nil {
		why = ErrDraining
	}
	for _, in := range append(l.changes, l.inbox.left()...) {
		switch {
		case in.looked != nil:
			in.looked <- why
		case in.config != nil:
			in.done <- why
		case !in.cancel:
			in.reply.end(now, "failed", why)
		}
	}
	for _, r := range l.replies {
		r.end(now, "failed", why)
	}
	l.hub.close()
}

// run is the loop; what panics in it stops the engine, not the program.
func (l *Live) run() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("engine: internal fault: %v\n%s", p, debug.Stack())
		}
	}()
	if l.record == nil {
		return Run(l.sched, l.hands, l.clock, l.inbox)
	}
	r := &recording{hands: l.hands, inbox: l.inbox, recorder: l.record}
	return Run(l.sched, r, l.clock, r)
}

// Record spreads an event.
func (l *Live) Record(e *core.Event) {
	if l.sink != nil {
		l.sink.Record(e)
	}
	r := l.replies[e.ID]
	l.mu.Lock()
	l.stats.count(e, r)
	l.stats.Restarts = uint64(l.hands.revive.restarts)
	l.stats.CacheEntries, l.stats.CacheBytes = l.hands.cache.size()
	l.mu.Unlock()
	l.hub.record(e)
	if r == nil {
		return
	}
	switch e.Kind {
	case core.EventFinished, core.EventCancelled, core.EventFailed:
		delete(l.replies, e.ID)
		r.end(e.At, ending(e), l.trouble(e, r))
	default:
		r.note(e)
	}
}

func ending(e *core.Event) string {
	switch e.Kind {
	case core.EventCancelled:
		return "cancelled"
	case core.EventFailed:
		return "failed"
	}
	return e.Reason
}

// trouble is the error of a request that failed.
func (l *Live) trouble(e *core.Event, r *Reply) error {
	switch {
	case e.Kind != core.EventFailed:
		return nil
	case l.hands.revive.hopeless(), e.Reason == "lost":
		if r.fault == nil {
			return ErrDevice
		}
		return fmt.Errorf("%w: %w", ErrDevice, r.fault)
	case r.fault != nil:
		return r.fault
	}
	return errors.New("engine: the request failed")
}

// Device is what there is of the device.
func (l *Live) Device() DeviceState { return DeviceState(l.hands.revive.state.Load()) }

// Stats are counts, and what is in flight.
func (l *Live) Stats() Stats {
	l.inbox.mu.Lock()
	inFlight, refused := len(l.inbox.inFlight), l.inbox.refused
	l.inbox.mu.Unlock()
	l.hub.mu.Lock()
	missed := l.hub.missed
	l.hub.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.stats
	s.Refused, s.MissedEvents = refused, missed
	s.InFlight = inFlight
	return s
}

// Drain takes nothing new and waits until what is in flight has ended. When
// the context is over first, the rest is cancelled.
func (l *Live) Drain(ctx context.Context) error {
	l.inbox.close()
	select {
	case <-l.stopped:
		return l.err
	case <-ctx.Done():
		return errors.Join(ctx.Err(), l.Close())
	}
}

// lastCall is how long a device may go on with a call of which nothing is
// needed any more.
const lastCall = 2 * time.Second

// Close cancels all requests and stops the loop after what the device is
// doing. One that can be killed is, where it takes too long: it may hang.
func (l *Live) Close() error {
	l.inbox.close()
	l.inbox.cancelAll()
	l.abort() // first, so that a device that is killed stays so
	if k, ok := l.hands.device.(device.Killer); ok {
		defer time.AfterFunc(lastCall, k.Kill).Stop()
	}
	<-l.stopped
	return l.err
}

// Stopped is closed when the loop has ended; Err says why, nil if it was
// drained or closed.
func (l *Live) Stopped() <-chan struct{} { return l.stopped }

// Err is why the loop ended.
func (l *Live) Err() error {
	<-l.stopped
	return l.err
}
