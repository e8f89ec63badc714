package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/tfsim/tfsim/device"
)

// Conn is a connection to a server.
type Conn interface {
	// Turns and Asides are the two streams.
	Turns() io.ReadWriter
	Asides() io.ReadWriter
	// Close ends the streams and the server, and says what is known of how
	// the server ended: nil, if it was in order. It may be called while the
	// streams are read, which then fail, and more than once.
	Close() error
	// Kill is Close for a server that answers nothing: it is ended at once.
	Kill()
}

// Dial makes a connection to a new server, whose device has all slots free.
type Dial func(ctx context.Context) (Conn, error)

// Patience is how long a server may say nothing before it is ended, and with it
// the call that waits for it. 0 is for ever.
type Patience struct {
	// Ready bounds what comes before the greeting: the loading of the device.
	Ready time.Duration
	// Answer bounds the wait of a call, which fails with device.ErrLost; a
	// prompt says after each chunk that it goes on.
	Answer time.Duration
}

// ErrNotReady is the error of Open and Restart where a device is not ready in
// time.
var ErrNotReady = errors.New("the device did not get ready")

// Client is a device at the other end of a connection.
type Client struct {
	dial     Dial
	patience Patience
	line     *line
	info     device.Info
	texts    []string

	out    []byte
	worked time.Duration // of the last call
	took   time.Duration // the way there and back included
	tokens []device.Token
	closed bool
	asides sync.Mutex // of line and closed, for calls from other goroutines
}

var (
	_ device.Device    = (*Client)(nil)
	_ device.Distant   = (*Client)(nil)
	_ device.Restarter = (*Client)(nil)
	_ device.Tokenizer = (*Client)(nil)
)

// Open dials and greets the device. The context bounds that alone, and its
// cause is the error of a greeting that it ends.
func Open(ctx context.Context, dial Dial, patience Patience) (*Client, error) {
	c := &Client{dial: dial, patience: patience}
	if err := c.connect(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Client) connect(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if most := c.patience.Ready; most > 0 {
		var forget context.CancelFunc
		ctx, forget = context.WithTimeoutCause(ctx, most, fmt.Errorf("%w within %v", ErrNotReady, most))
		defer forget()
	}
	conn, err := c.dial(ctx)
	if err != nil {
		return err
	}
	l := newLine(conn)
	// A server that does not answer is ended with the context.
	unwatch := context.AfterFunc(ctx, func() { l.kill(context.Cause(ctx)) })
	defer unwatch()
	c.out = frame(c.out)
	r, err := l.call(c.out, askHello)
	if err != nil {
		l.close()
		return l.cause
	}
	h, texts, err := r.hello()
	if err != nil {
		l.close()
		return err
	}
	if c.line != nil && (h.Info.StateKey != c.info.StateKey || h.Info.Slots != c.info.Slots || h.Info.Context != c.info.Context) {
		l.close()
		return fmt.Errorf("remote: another device came back: %s", h.Info.StateKey)
	}
	l.answer = c.patience.Answer
	c.asides.Lock()
	defer c.asides.Unlock()
	if c.line == nil {
		c.info, c.texts = h.Info, texts
	}
	c.line = l
	return nil
}

// Restart dials again. It may be called on a device that works as well: its
// server is ended first.
func (c *Client) Restart(ctx context.Context) error {
	if c.closed {
		return device.ErrClosed
	}
	c.line.close()
	return c.connect(ctx)
}

// Close ends the server.
func (c *Client) Close() error {
	c.asides.Lock()
	defer c.asides.Unlock()
	if !c.closed {
		c.closed = true
		c.line.close()
	}
	return nil
}

// Info describes the device.
func (c *Client) Info() *device.Info { return &c.info }

// Worked is how long the device worked in the last call, without the way
// there and back.
func (c *Client) Worked() time.Duration { return c.worked }

// Hop is how long the way there and back of the last call took, if it came back.
func (c *Client) Hop() time.Duration { return max(c.took-c.worked, 0) }
