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
}

// Dial makes a connection to a new server, whose device has all slots free.
type Dial func(ctx context.Context) (Conn, error)

// Client is a device at the other end of a connection.
type Client struct {
	dial   Dial
	answer time.Duration
	line   *line
	info   device.Info
	texts  []string

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

// Open dials and greets the device. A server that says nothing for as long as
// answer while a call waits is ended, and with it the call (device.ErrLost); 0
// waits for ever, as the greeting does.
func Open(ctx context.Context, dial Dial, answer time.Duration) (*Client, error) {
	c := &Client{dial: dial, answer: answer}
	if err := c.connect(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Client) connect(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	conn, err := c.dial(ctx)
	if err != nil {
		return err
	}
	l := newLine(conn)
	// A server that does not answer is ended with the context.
	unwatch := context.AfterFunc(ctx, l.close)
	defer unwatch()
	c.out = frame(c.out)
	r, err := l.call(c.out, askHello)
	if err != nil {
		l.close()
		return errors.Join(ctx.Err(), l.cause)
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
	l.answer = c.answer
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
