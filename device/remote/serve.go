package remote

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tfsim/tfsim/device"
)

// Serve answers for a device until the streams end, which is no error, or one
// of them fails. Requests come on turns, stops and texts to tokenize on
// asides. All calls of the device come from the goroutine of Serve; those of
// its tokenizer, if it has one, from another.
func Serve(d device.Device, turns, asides io.ReadWriter) error {
	s := &server{d: d, turns: turns}
	var wait sync.WaitGroup
	wait.Go(func() { s.listen(asides) })
	err := s.answer(turns)
	if errors.Is(err, io.EOF) {
		wait.Wait()
		return nil
	}
	return err
}

type message struct {
	call uint32
	kind kind
	body []byte
}

// read takes the next message; its body goes into the room of b.
func read(r *bufio.Reader, b []byte) (m message, err error) {
	size, call, k, err := readHead(r)
	if err != nil {
		return m, err
	}
	if cap(b) > 1<<20 {
		b = nil // a state came in it
	}
	b, err = readBody(r, b, size)
	return message{call, k, b}, err
}

type server struct {
	d       device.Device
	turns   io.Writer
	told    time.Time     // when it was last said that a call goes on
	stopped atomic.Uint32 // the call that was stopped last
	ended   atomic.Bool   // nobody waits for replies any more

	out      []byte
	tokens   []device.Token
	windows  []device.Window
	verdicts []device.Verdict
	asks     []device.Ask
	drafts   []device.Draft
	slots    []int
}

// answer does requests in turn.
func (s *server) answer(turns io.ReadWriter) error {
	r := bufio.NewReaderSize(turns, 64<<10)
	var m message
	var err error
	for {
		if m, err = read(r, m.body); err != nil {
			return err
		}
		s.out = frame(s.out)
		k, err := s.do(&m)
		if err != nil {
			s.out, k = putError(frame(s.out), err), replyError
		}
		if err := send(turns, s.out, m.call, k); err != nil {
			return err
		}
		if cap(s.out) > 1<<20 {
			s.out = nil
		}
	}
}

// listen takes stops and tokenizes until its stream ends.
func (s *server) listen(asides io.ReadWriter) {
	defer s.ended.Store(true)
	r := bufio.NewReader(asides)
	var m message
	var out []byte
	var err error
	for {
		if m, err = read(r, m.body); err != nil {
			return
		}
		b := body{b: m.body}
		if m.kind == askStop {
			s.stopped.Store(uint32(b.int()))
			continue
		}
		k := replyOK
		if out, err = s.tokenize(frame(out), &b); err != nil {
			out, k = putError(frame(out), err), replyError
		}
		if send(asides, out, m.call, k) != nil {
			return
		}
	}
}

func (s *server) tokenize(out []byte, r *body) ([]byte, error) {
	text, begin, special := string(r.bytes()), r.bool(), r.bool()
	if err := r.done(); err != nil {
		return out, err
	}
	tk, ok := s.d.(device.Tokenizer)
	if !ok {
		return out, errors.New("remote: the device has no tokenizer")
	}
	tokens, err := tk.Tokenize(text, begin, special)
	return putTokens(out, tokens), err
}

// going says that a call goes on, if that was not said just now.
func (s *server) going(call uint32) {
	if now := time.Now(); now.Sub(s.told) >= pulse {
		s.told = now
		_ = send(s.turns, frame(nil), call, replyGoing) // a stream that has ended needs none
	}
}

// stop is the context of a call that a stop may end. Looking at it, as a device
// does between two chunks, tells the other end that the work goes on.
type stop struct {
	context.Context
	server *server
	call   uint32
}

func (c *stop) Err() error {
	c.server.going(c.call)
	if c.server.stopped.Load() == c.call || c.server.ended.Load() {
		return context.Canceled
	}
	return nil
}
