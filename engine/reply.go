package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"sync"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
)

// Request is what the live engine is asked for.
type Request struct {
	// Prompt is the prompt's tokens, at least one.
	Prompt []device.Token
	// Output is the most tokens of the reply; 0 is as many as the context has
	// room for.
	Output   int
	Sampling device.Sampling
	// Background requests queue behind all others.
	Background bool
	// NoDraft draws every token alone.
	NoDraft bool
	// IgnoreEnds goes on where the text ends by itself.
	IgnoreEnds bool
	// Ends, if there is one, is told every token, once and in order, and says
	// whether the reply ends with it. The loop calls it: it must be quick.
	Ends func(device.Token) bool
}

// Result is what became of a request.
type Result struct {
	// Reason is "end", "length", "cancelled" or "failed"; empty before the end.
	Reason string
	// Prompt is the prompt's length, Cached the rows of it that were restored,
	// Tokens the tokens of the reply.
	Prompt, Cached, Tokens int
	// Rounds that it took part in, drafts verified and kept in them, and how
	// often the device lost it.
	Rounds, Drafted, Accepted, Losses int
	// Exact says that the device promises these very tokens, whatever else
	// runs.
	Exact bool
	// SHA is the SHA-256 of the tokens, each as four bytes, low byte first.
	SHA string
	// Queue is the time until it had a lane, First until its first token, and
	// Total until its end.
	Queue, First, Total core.Micros
}

// Reply is a request in flight, and then what came of it. It is for one
// reader.
type Reply struct {
	id      core.ID
	request Request
	sent    core.Micros
	inbox   *inbox
	// stop ends the prompt's work between two chunks.
	ctx  context.Context
	stop context.CancelFunc

	// The loop's own.
	drawn  []device.Token // some may not be delivered
	drafts []device.Token // held from the last pass
	fault  error          // what the device said of it
	// inexact: the device promises nothing, or not for a shape it ran in.
	inexact bool
	phase   phase
	prefix  uint64 // its key for core; 0 where no states are kept

	wake chan struct{}

	mu      sync.Mutex
	unwatch func() bool
	given   []device.Token
	read    int
	over    bool
	gave    error // why its sender gave up
	err     error
	result  Result
}

// ID is the request's number, as events name it.
func (r *Reply) ID() core.ID { return r.id }

// Next waits for tokens that the reader has not seen. The error is io.EOF at
// the reply's end, the context's, ErrDevice, or why the request was cancelled.
func (r *Reply) Next(ctx context.Context) ([]device.Token, error) {
	for {
		r.mu.Lock()
		given, from, over, err := r.given, r.read, r.over, r.err
		r.read = len(given)
		r.mu.Unlock()
		switch {
		case from < len(given):
			return given[from:len(given):len(given)], nil
		case over && err == nil:
			return nil, io.EOF
		case over:
			return nil, err
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// All waits for the end and gives the tokens that came since the last call of
// Next.
func (r *Reply) All(ctx context.Context) ([]device.Token, error) {
	var all []device.Token
	for {
		tokens, err := r.Next(ctx)
		all = append(all, tokens...)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
	}
}

// Cancel gives the request up; it ends before the next outcome is applied.
// Once it is over, nothing happens.
func (r *Reply) Cancel() { r.giveUp(context.Canceled) }

// watch gives the request up when a context is over.
func (r *Reply) watch(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		r.unwatch = context.AfterFunc(ctx, func() { r.giveUp(context.Cause(ctx)) })
	}
}

func (r *Reply) giveUp(why error) {
	r.mu.Lock()
	again := r.over || r.gave != nil
	if !again {
		r.gave = why
	}
	r.mu.Unlock()
	if again {
		return
	}
	r.inbox.cancel(r) // before the prompt stops, so that core knows why
	r.stop()
}

// Result is what became of the request; it is whole once Next gave an error
// that is not its caller's.
func (r *Reply) Result() Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.result
}

// ring tells the reader that there is something new.
func (r *Reply) ring() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// rows are the tokens of rows from, from+1, …: the prompt's, then those drawn.
func (r *Reply) rows(from, n int, scratch []device.Token) []device.Token {
	p := r.request.Prompt
	if from+n <= len(p) {
		return p[from : from+n]
	}
	scratch = scratch[:0]
	if from < len(p) {
		scratch = append(scratch, p[from:]...)
	}
	return append(scratch, r.drawn[max(from-len(p), 0):from+n-len(p)]...)
}

// ends says that the reply ends with a token just drawn.
func (r *Reply) ends(t device.Token, info *device.Info) bool {
	end := r.request.Ends != nil && r.request.Ends(t)
	return end || !r.request.IgnoreEnds && info.IsEnd(t)
}

// note enters an event of this request.
func (r *Reply) note(e *core.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := &r.result
	switch e.Kind {
	case core.EventAdmitted:
		x.Queue = e.At - r.sent
	case core.EventBegin:
		x.Cached = e.Rows
	case core.EventLost:
		x.Losses++
	case core.EventTokens:
		if e.Total == e.Tokens {
			x.First = e.At - r.sent
		} else {
			x.Rounds++
			x.Drafted += e.Drafts
			x.Accepted += min(e.Kept, e.Tokens)
		}
		r.given = r.drawn[:e.Total]
		x.Tokens = e.Total
		x.Exact = !r.inexact
	}
	r.ring()
}

// end closes the reply.
func (r *Reply) end(at core.Micros, reason string, err error) {
	r.inbox.ended(r) // its reader may count on a free place
	r.mu.Lock()
	if r.over {
		r.mu.Unlock()
		return
	}
	if err == nil && reason == "cancelled" {
		if err = r.gave; err == nil {
			err = context.Canceled
		}
	}
	r.over, r.err = true, err
	r.result.Reason, r.result.Total = reason, at-r.sent
	r.result.SHA = Hash(r.given)
	unwatch := r.unwatch
	r.ring()
	r.mu.Unlock()
	r.stop()
	if unwatch != nil {
		unwatch()
	}
}

// Hash is the SHA-256 of tokens, each as four bytes, low byte first.
func Hash(tokens []device.Token) string {
	h := sha256.New()
	var b [4]byte
	for _, t := range tokens {
		binary.LittleEndian.PutUint32(b[:], uint32(t))
		h.Write(b[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}
