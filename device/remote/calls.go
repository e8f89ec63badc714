package remote

import (
	"context"
	"time"

	"github.com/tfsim/tfsim/device"
)

// call sends the request in out and reads how long the device worked.
func (c *Client) call(k kind) (body, error) {
	c.worked, c.took = 0, 0
	if c.closed {
		return body{}, device.ErrClosed
	}
	started := time.Now()
	r, err := c.line.call(c.out, k)
	if err == nil {
		c.worked, c.took = time.Duration(r.int()), time.Since(started)
	}
	return r, err
}

// Begin takes a slot.
func (c *Client) Begin(slot int, o device.BeginOptions) (int, error) {
	b := putInt(frame(c.out), slot)
	b = putBool(b, o.State != nil)
	if o.State != nil {
		b = putBytes(b, o.State)
	}
	b = putInt(b, o.Rows)
	c.out = putBool(b, o.NoDraft)
	r, err := c.call(askBegin)
	c.forget()
	if err != nil {
		return 0, err
	}
	rows := r.int()
	return rows, r.done()
}

// forget lets go of a buffer that a state has grown.
func (c *Client) forget() {
	if cap(c.out) > 1<<20 {
		c.out = nil
	}
}

// Piece feeds prompt rows.
func (c *Client) Piece(ctx context.Context, slot, from int, tokens []device.Token) (int, error) {
	b := putInt(frame(c.out), slot)
	b = putInt(b, from)
	b = putBool(b, ctx.Err() != nil)
	c.out = putTokens(b, tokens)
	_, rows, err := c.prompt(ctx, askPiece)
	return rows, err
}

// Finish feeds the last prompt rows and draws the first token.
func (c *Client) Finish(ctx context.Context, slot, from int, tokens []device.Token, o device.FinishOptions) (device.Token, int, error) {
	b := putInt(frame(c.out), slot)
	b = putInt(b, from)
	b = putBool(b, ctx.Err() != nil)
	b = putTokens(b, tokens)
	b = putSampling(b, o.Sampling)
	b = putBool(b, o.Resumed)
	c.out = putInt(b, int(o.Known))
	return c.prompt(ctx, askFinish)
}

func (c *Client) prompt(ctx context.Context, k kind) (device.Token, int, error) {
	c.worked, c.took = 0, 0
	if c.closed {
		return device.NoToken, 0, device.ErrClosed
	}
	l, started := c.line, time.Now()
	call, err := l.start(c.out, k)
	if err != nil {
		return device.NoToken, 0, err
	}
	if ctx.Done() != nil {
		defer context.AfterFunc(ctx, func() { l.stop(call) })()
	}
	r, err := l.wait()
	if err != nil {
		return device.NoToken, 0, err
	}
	c.worked, c.took = time.Duration(r.int()), time.Since(started)
	rows, first := r.int(), r.token()
	if r.bool() {
		err := r.error()
		if ended := ctx.Err(); ended != nil && isCancel(err) {
			err = ended
		}
		return device.NoToken, rows, err
	}
	return first, rows, r.done()
}

// Pass drafts.
func (c *Client) Pass(asks []device.Ask, drafts []device.Draft) ([]device.Draft, error) {
	b := putInt(frame(c.out), len(asks))
	for _, a := range asks {
		b = putInt(b, a.Slot)
		b = putInt(b, a.Depth)
	}
	c.out = b
	r, err := c.call(askPass)
	if err != nil {
		return drafts, err
	}
	for range r.count() {
		drafts = append(drafts, device.Draft{Token: r.token(), Confidence: r.float()})
	}
	return drafts, r.done()
}

// Verify runs a launch.
func (c *Client) Verify(windows []device.Window, verdicts []device.Verdict) ([]device.Verdict, error) {
	b := putInt(frame(c.out), len(windows))
	for i := range windows {
		w := &windows[i]
		b = putInt(b, w.Slot)
		b = putInt(b, w.Position)
		b = putInt(b, w.Pad)
		b = putTokens(b, w.Drafts)
	}
	c.out = b
	r, err := c.call(askVerify)
	if err != nil {
		return verdicts, err
	}
	c.tokens = c.tokens[:0]
	for range r.count() {
		at := len(c.tokens)
		c.tokens = r.tokens(c.tokens)
		tokens := c.tokens[at:len(c.tokens):len(c.tokens)]
		verdicts = append(verdicts, device.Verdict{Kept: len(tokens) - 1, Tokens: tokens})
	}
	return verdicts, r.done()
}

// Release frees slots.
func (c *Client) Release(slots ...int) error {
	b := putInt(frame(c.out), len(slots))
	for _, s := range slots {
		b = putInt(b, s)
	}
	c.out = b
	r, err := c.call(askRelease)
	if err != nil {
		return err
	}
	return r.done()
}

// Save gives a slot's state.
func (c *Client) Save(slot int) ([]byte, error) {
	c.out = putInt(frame(c.out), slot)
	r, err := c.call(askSave)
	if err != nil {
		return nil, err
	}
	state := append([]byte(nil), r.bytes()...)
	return state, r.done()
}

// Tokenize gives the tokens of a text.
func (c *Client) Tokenize(text string, begin, special bool) ([]device.Token, error) {
	c.asides.Lock()
	l, closed := c.line, c.closed
	c.asides.Unlock()
	if closed {
		return nil, device.ErrClosed
	}
	b := putBytes(frame(nil), []byte(text))
	b = putBool(b, begin)
	b = putBool(b, special)
	r, err := l.ask(b, askTokenize)
	if err != nil {
		return nil, err
	}
	tokens := r.tokens(nil)
	return tokens, r.done()
}

// AppendText appends the bytes of tokens.
func (c *Client) AppendText(dst []byte, tokens ...device.Token) []byte {
	for _, t := range tokens {
		if t >= 0 && int(t) < len(c.texts) {
			dst = append(dst, c.texts[t]...)
		}
	}
	return dst
}
