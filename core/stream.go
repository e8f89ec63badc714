package core

import "slices"

// phase is where a request is on its way.
type phase uint8

const (
	queued phase = iota
	filling
	decoding
	ended
)

// maxDepth is the most drafts a window can hold.
const maxDepth = 15

// stream is one request in flight.
type stream struct {
	req       Request
	phase     phase
	cancelled bool
	slot      int
	seq       int64  // admission number
	came      Micros // when it was submitted
	began     Micros // when it got its lane
	restored  int    // rows that a kept state gave
	untouched bool   // no action has used the slot yet

	need       int  // prompt rows to have in, re-filled tokens included
	filled     int  // of them, rows that are in
	passedOver int  // steps that went to another prompt since its last
	stepped    bool // it has taken a step
	emitted    int  // tokens delivered
	losses     int  // in a row

	served     int64 // number of the last round it took part in, -1 never
	plainSince int   // rounds decoded without ingest since the last pass
	unread     bool  // the last pass's drafts were all kept
	held       int   // drafts held for the coming window
	score      [maxDepth]float64
	rate       rate
	early      earlyPass
	worth      worth
	trust      trust
	credit     float64 // tokens ahead of the fair part of plain rounds
	claim      float64 // what being behind it adds to the worth of its tokens
}

// left is the number of prompt rows still to run.
func (st *stream) left() int { return st.need - st.filled }

// room is the most drafts worth asking: a window commits one token more.
func (st *stream) room() int { return st.req.Output - st.emitted - 1 }

func (s *Scheduler) newStream(at Micros, r Request) int32 {
	var i int32
	if n := len(s.free); n > 0 {
		i = s.free[n-1]
		s.free = s.free[:n-1]
	} else {
		i = int32(len(s.streams))
		s.streams = append(s.streams, stream{})
	}
	s.streams[i] = stream{req: r, came: at, slot: -1, need: r.Prompt, served: -1, early: newEarlyPass()}
	return i
}

// end takes a request out of flight: its slot is freed and nothing is kept.
func (s *Scheduler) end(at Micros, i int32, kind EventKind, reason string) {
	st := &s.streams[i]
	s.emit(Event{At: at, Kind: kind, ID: st.req.ID, Slot: st.slot, Total: st.emitted, Reason: reason})
	delete(s.byID, st.req.ID)
	switch st.phase {
	case queued:
		s.queue.class(st.req.Background).remove(i)
	case filling:
		s.filling--
	case decoding:
		s.decoding--
	}
	st.phase = ended
	s.free = append(s.free, i)
	if st.slot < 0 {
		return
	}
	s.slots[st.slot] = -1
	s.freeSlots = append(s.freeSlots, st.slot)
	if !st.untouched {
		s.released = append(s.released, st.slot)
	}
	k := slices.Index(s.admitted, i)
	s.admitted = slices.Delete(s.admitted, k, k+1)
}

// lost sends a stream back to filling with its prompt and the tokens it has
// emitted; the last of them is pending and not in the cache. The third loss
// in a row fails it.
func (s *Scheduler) lost(at Micros, i int32) {
	st := &s.streams[i]
	st.losses++
	if st.losses >= 3 {
		s.end(at, i, EventFailed, "lost")
		return
	}
	if st.phase == decoding {
		s.decoding--
		s.filling++
	}
	st.phase = filling
	st.need = st.req.Prompt + max(st.emitted-1, 0)
	st.filled, st.held, st.plainSince, st.passedOver = 0, 0, 0, 0
	st.unread = false
	st.early.round = -1
	s.emit(Event{At: at, Kind: EventLost, ID: st.req.ID, Slot: st.slot, Rows: st.need, Total: st.emitted, Reason: "lost"})
}

// delivery is what a first token or a round gives a request.
type delivery struct {
	tokens, drafts, kept int
	wall                 Micros
}

// deliver counts tokens to a request and ends it where its text ends.
func (s *Scheduler) deliver(at Micros, i int32, d delivery, end bool) {
	st := &s.streams[i]
	st.emitted += d.tokens
	if s.cfg.Sink != nil {
		// The most frequent event by far: written in place.
		s.ev = Event{At: at, Kind: EventTokens, ID: st.req.ID, Slot: st.slot,
			Tokens: d.tokens, Total: st.emitted, Drafts: d.drafts, Kept: d.kept, Wall: d.wall}
		s.cfg.Sink.Record(&s.ev)
	}
	switch {
	case end:
		s.end(at, i, EventFinished, "end")
	case st.emitted >= st.req.Output:
		s.end(at, i, EventFinished, "length")
	}
}
