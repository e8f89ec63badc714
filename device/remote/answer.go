package remote

import (
	"context"
	"fmt"
	"time"

	"github.com/tfsim/tfsim/device"
)

// do does a request and puts its reply into out. An error that says how many
// rows were done is part of a reply that is OK.
func (s *server) do(m *message) (kind, error) {
	r := body{b: m.body}
	switch m.kind {
	case askHello:
		out, err := putHello(s.out, s.d)
		if err != nil {
			return 0, err
		}
		s.out = out
		return replyOK, nil
	case askBegin:
		return s.begin(&r)
	case askPiece, askFinish:
		return s.prompt(m, &r)
	case askPass:
		return s.pass(&r)
	case askVerify:
		return s.verify(&r)
	case askRelease:
		s.slots = s.slots[:0]
		for range r.count() {
			s.slots = append(s.slots, r.int())
		}
		if err := r.done(); err != nil {
			return 0, err
		}
		if err := s.d.Release(s.slots...); err != nil {
			return 0, err
		}
		s.worked()
		return replyOK, nil
	case askSave:
		slot := r.int()
		if err := r.done(); err != nil {
			return 0, err
		}
		state, err := s.d.Save(slot)
		if err != nil {
			return 0, err
		}
		s.worked()
		s.out = putBytes(s.out, state)
		return replyOK, nil
	}
	return 0, fmt.Errorf("remote: no request of kind %d", m.kind)
}

func (s *server) worked() { s.out = putInt(s.out, int(s.d.Worked())) }

func (s *server) begin(r *body) (kind, error) {
	slot := r.int()
	var o device.BeginOptions
	if r.bool() {
		if o.State = r.bytes(); o.State == nil {
			o.State = []byte{} // empty and none are two things
		}
	}
	o.Rows, o.NoDraft = r.int(), r.bool()
	if err := r.done(); err != nil {
		return 0, err
	}
	rows, err := s.d.Begin(slot, o)
	if err != nil {
		return 0, err
	}
	s.worked()
	s.out = putInt(s.out, rows)
	return replyOK, nil
}

func (s *server) prompt(m *message, r *body) (kind, error) {
	slot, from := r.int(), r.int()
	ended := r.bool()
	s.tokens = r.tokens(s.tokens[:0])
	var o device.FinishOptions
	if m.kind == askFinish {
		o.Sampling = r.sampling()
		o.Resumed, o.Known = r.bool(), r.token()
	}
	if err := r.done(); err != nil {
		return 0, err
	}
	s.told = time.Now()
	ctx := &stop{context.Background(), s, m.call}
	if ended {
		s.stopped.Store(m.call)
	}
	var first device.Token
	var rows int
	var err error
	if m.kind == askFinish {
		first, rows, err = s.d.Finish(ctx, slot, from, s.tokens, o)
	} else {
		rows, err = s.d.Piece(ctx, slot, from, s.tokens)
	}
	s.worked()
	s.out = putInt(s.out, rows)
	s.out = putInt(s.out, int(first))
	s.out = putBool(s.out, err != nil)
	if err != nil {
		s.out = putError(s.out, err)
	}
	return replyOK, nil
}

func (s *server) pass(r *body) (kind, error) {
	s.asks = s.asks[:0]
	for range r.count() {
		s.asks = append(s.asks, device.Ask{Slot: r.int(), Depth: r.int()})
	}
	if err := r.done(); err != nil {
		return 0, err
	}
	var err error
	if s.drafts, err = s.d.Pass(s.asks, s.drafts[:0]); err != nil {
		return 0, err
	}
	s.worked()
	s.out = putInt(s.out, len(s.drafts))
	for _, k := range s.drafts {
		s.out = putInt(s.out, int(k.Token))
		s.out = putFloat(s.out, k.Confidence)
	}
	return replyOK, nil
}

func (s *server) verify(r *body) (kind, error) {
	s.windows, s.tokens = s.windows[:0], s.tokens[:0]
	for range r.count() {
		w := device.Window{Slot: r.int(), Position: r.int(), Pad: r.int()}
		at := len(s.tokens)
		s.tokens = r.tokens(s.tokens)
		// What moved when the tokens grew stays readable where it was.
		w.Drafts = s.tokens[at:len(s.tokens):len(s.tokens)]
		s.windows = append(s.windows, w)
	}
	if err := r.done(); err != nil {
		return 0, err
	}
	var err error
	if s.verdicts, err = s.d.Verify(s.windows, s.verdicts[:0]); err != nil {
		return 0, err
	}
	s.worked()
	s.out = putInt(s.out, len(s.verdicts))
	for i := range s.verdicts {
		s.out = putTokens(s.out, s.verdicts[i].Tokens)
	}
	return replyOK, nil
}
