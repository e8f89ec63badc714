package core

import (
	"errors"
	"fmt"
)

// Errors of Submit. They are wrapped with what was wrong; test with errors.Is.
var (
	ErrRequest   = errors.New("core: bad request")
	ErrQueueFull = errors.New("core: queue full")
	ErrContext   = errors.New("core: request does not fit the context")
)

// Scheduler is the state machine. It is not safe for concurrent use.
type Scheduler struct {
	cfg Config

	streams []stream     // storage of requests in flight
	free    []int32      // unused entries of streams
	byID    map[ID]int32 // requests in flight
	queue   queue        // requests not yet admitted

	slots     []int32 // stream of each slot, or -1
	freeSlots []int   // LIFO; slot 0 is taken first
	admitted  []int32 // streams with a slot, in admission order
	filling   int     // admitted streams whose prompt is not in
	decoding  int     // admitted streams that take part in rounds

	share    share
	admitSeq int64
	inRow    int // whole prompts run since the last round, while replies decode
	budget   int // prompt rows asked since the last round, while replies decode

	round  round
	calib  calibration
	rates  []rate // aggregate rate by number of windows
	joint  jointScratch
	passes blend
	meas   measured
	action Action
	// outstanding says that action waits for Done.
	outstanding bool
	cancels     []ID // of admitted requests, while an action is outstanding
	released    []int
	releasing   []int // the slice handed out with the outstanding action
	ev          Event
}

// New makes a scheduler. The error names the field that is out of range.
func New(cfg Config) (*Scheduler, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s := &Scheduler{
		cfg:       cfg,
		byID:      make(map[ID]int32, cfg.Lanes),
		slots:     make([]int32, cfg.Lanes),
		freeSlots: make([]int, 0, cfg.Lanes),
		admitted:  make([]int32, 0, cfg.Lanes),
		released:  make([]int, 0, cfg.Lanes),
		releasing: make([]int, 0, cfg.Lanes),
		rates:     make([]rate, cfg.Lanes+1),
	}
	for i := cfg.Lanes - 1; i >= 0; i-- {
		s.slots[i] = -1
		s.freeSlots = append(s.freeSlots, i)
	}
	s.share = newShare(cfg.PromptShare, cfg.CarryOverrun)
	return s, nil
}

// Submit queues a request at time at. It refuses a bad request (ErrRequest),
// one longer than the context (ErrContext) and one beyond the queue's bound
// (ErrQueueFull); a refused request leaves no trace.
func (s *Scheduler) Submit(at Micros, r Request) error {
	switch {
	case r.Prompt < 1:
		return fmt.Errorf("%w: prompt of %d tokens, want at least 1", ErrRequest, r.Prompt)
	case r.Output < 1:
		return fmt.Errorf("%w: output of %d tokens, want at least 1", ErrRequest, r.Output)
	case s.cfg.Context > 0 && r.Prompt > s.cfg.Context-r.Output:
		return fmt.Errorf("%w: prompt %d + output %d tokens, context %d", ErrContext, r.Prompt, r.Output, s.cfg.Context)
	case s.cfg.Queue > 0 && s.queue.waiting() >= s.cfg.Queue:
		return fmt.Errorf("%w: %d requests wait", ErrQueueFull, s.queue.waiting())
	}
	if _, ok := s.byID[r.ID]; ok {
		return fmt.Errorf("%w: id %d is in flight", ErrRequest, r.ID)
	}
	i := s.newStream(at, r)
	s.byID[r.ID] = i
	s.queue.class(r.Background).push(i)
	s.emit(Event{At: at, Kind: EventSubmitted, ID: r.ID, Slot: -1, Rows: r.Prompt, Tokens: r.Output})
	return nil
}

// Cancel ends a request at time at. A queued one leaves at once; an admitted
// one leaves before the outstanding action's outcome is applied, and gets no
// token of it. Cancelling an unknown or ended request does nothing and
// reports false.
func (s *Scheduler) Cancel(at Micros, id ID) bool {
	i, ok := s.byID[id]
	if !ok {
		return false
	}
	st := &s.streams[i]
	if st.phase == queued || !s.outstanding {
		s.end(at, i, EventCancelled, "cancelled")
		s.settle()
		return true
	}
	if !st.cancelled {
		st.cancelled = true
		s.cancels = append(s.cancels, id)
	}
	return true
}

// Next gives the action to do now. Until Done it repeats the same action,
// except that a Wait is decided anew on each call.
func (s *Scheduler) Next(now Micros) *Action {
	if s.outstanding {
		return &s.action
	}
	s.action = Action{
		Slot: -1, Until: Never,
		Asks: s.action.Asks[:0], Windows: s.action.Windows[:0], Launches: s.action.Launches[:0],
	}
	s.decide(now)
	if s.action.Kind == Wait {
		return &s.action // what was freed waits for something to do
	}
	s.outstanding = true
	// Two buffers alternate, so that slots freed while an action is out do
	// not change the list it carries.
	s.action.Release = s.released
	s.released, s.releasing = s.releasing[:0], s.released
	return &s.action
}

// decide fills s.action: admission first, then one prompt step if the share
// allows it, then one round.
func (s *Scheduler) decide(now Micros) {
	if s.round.open() {
		s.verify(now)
		return
	}
	if s.admit(now) {
		return
	}
	if s.filling > 0 && s.stepAllowed() {
		s.step()
		return
	}
	if s.decoding > 0 {
		s.openRound(now)
	}
}

// Done applies the outcome of the outstanding action at time now. Without an
// outstanding action, or with an outcome that does not fit it, it returns an
// error and changes nothing.
func (s *Scheduler) Done(now Micros, o *Outcome) error {
	if !s.outstanding {
		return errors.New("core: Done without an outstanding action")
	}
	if err := s.action.fits(o); err != nil {
		return err
	}
	s.outstanding = false
	for _, id := range s.cancels {
		if i, ok := s.byID[id]; ok {
			s.end(now, i, EventCancelled, "cancelled")
		}
	}
	s.cancels = s.cancels[:0]
	switch s.action.Kind {
	case Begin:
		s.doneBegin(now, o)
	case Step:
		s.doneStep(now, o)
	case Pass:
		s.donePass(now, o)
	case Round:
		s.doneRound(now, o)
	}
	s.settle()
	return nil
}

// settle forgets what nobody waits for: with no reply decoding no round has
// to come first, and with no prompt filling nothing is owed.
func (s *Scheduler) settle() {
	switch {
	case s.decoding == 0:
		s.share.clear()
		s.budget, s.inRow = 0, 0
	case s.filling == 0:
		s.share.owed = 0
	}
}

// fits says what of an outcome contradicts the action.
func (a *Action) fits(o *Outcome) error {
	switch {
	case o.Wall < 0 || o.Device < 0:
		return fmt.Errorf("core: outcome took %d µs wall, %d µs device; must not be negative", o.Wall, o.Device)
	case o.Status > Lost:
		return fmt.Errorf("core: outcome status %d is unknown; want 0 to %d", o.Status, Lost)
	case o.Status == Aborted && a.Kind != Step:
		return fmt.Errorf("core: outcome of a %s is aborted; only a step can be", a.Kind)
	case (a.Kind == Step || a.Kind == Begin) && (o.Rows < 0 || o.Rows > a.Rows):
		return fmt.Errorf("core: outcome of %d rows for a %s of %d", o.Rows, a.Kind, a.Rows)
	case a.Kind == Step && o.Status == OK && o.Rows != a.Rows:
		return fmt.Errorf("core: outcome ok with %d rows of a step of %d", o.Rows, a.Rows)
	case a.Kind == Pass && o.Status == OK:
		return a.fitsPass(o)
	case a.Kind == Round && o.Status == OK:
		return a.fitsRound(o)
	}
	return nil
}

func (a *Action) fitsPass(o *Outcome) error {
	want := 0
	for k := range a.Asks {
		want += a.Asks[k].Depth
	}
	if len(o.Confidences) != want {
		return fmt.Errorf("core: outcome of %d confidences for asks of %d drafts", len(o.Confidences), want)
	}
	for _, c := range o.Confidences {
		if !(c >= 0 && c <= 1) {
			return fmt.Errorf("core: confidence %g; must be 0 to 1", c)
		}
	}
	return nil
}

func (a *Action) fitsRound(o *Outcome) error {
	if len(o.Slots) != len(a.Windows) {
		return fmt.Errorf("core: outcome of %d slots for a round of %d windows", len(o.Slots), len(a.Windows))
	}
	for i := range a.Windows {
		w, k := &a.Windows[i], &o.Slots[i]
		switch {
		case k.Status > Lost || k.Status == Aborted:
			return fmt.Errorf("core: slot %d ended %d; want ok, failed or lost", w.Slot, k.Status)
		case k.Status != OK:
		case k.Kept < 0 || k.Kept > w.Drafts || k.Emitted < 1 || k.Emitted > k.Kept+1:
			return fmt.Errorf("core: slot %d kept %d of %d drafts and emitted %d tokens; want 0 to %[3]d kept, 1 to one more than kept emitted",
				w.Slot, k.Kept, w.Drafts, k.Emitted)
		case k.Emitted <= k.Kept && !k.End:
			return fmt.Errorf("core: slot %d kept %d drafts and emitted %d tokens without an end", w.Slot, k.Kept, k.Emitted)
		}
	}
	return nil
}

// Outstanding says that an action waits for its outcome.
func (s *Scheduler) Outstanding() bool { return s.outstanding }

// Waiting counts the requests that have no lane yet.
func (s *Scheduler) Waiting() int { return s.queue.waiting() }

// Filling counts the admitted requests whose prompt is not in.
func (s *Scheduler) Filling() int { return s.filling }

// Decoding counts the requests that take part in rounds.
func (s *Scheduler) Decoding() int { return s.decoding }

// Owed is the decode time owed before the next prompt step.
func (s *Scheduler) Owed() Micros { return max(s.share.owed, 0) }

func (s *Scheduler) emit(e Event) {
	if s.cfg.Sink == nil {
		return
	}
	s.ev = e
	s.cfg.Sink.Record(&s.ev)
}
