package remote

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/tfsim/tfsim/device"
)

// line is a connection in use.
type line struct {
	conn   Conn
	answer time.Duration // how long the other end may say nothing; 0 for ever

	out   io.Writer // of turns
	turns *bufio.Reader
	turn  message // the last reply; its body is reused
	calls uint32
	quiet silence // of turns

	write  sync.Mutex // of asides
	aside  sync.Mutex // of asides, from a request to its reply
	asides *bufio.Reader
	hush   silence // of asides

	once   sync.Once
	over   chan struct{} // closed when the line has ended
	reason error         // of calls, then
	cause  error         // what is known of why
}

func newLine(conn Conn) *line {
	turns := conn.Turns()
	l := &line{
		conn: conn, out: turns,
		turns: bufio.NewReaderSize(turns, 64<<10), asides: bufio.NewReader(conn.Asides()),
		over: make(chan struct{}),
	}
	l.quiet.line, l.hush.line = l, l
	return l
}

// end closes the line, for a reason; the first stands, unless the server
// knows better.
func (l *line) end(err error) {
	l.once.Do(func() {
		if known := l.conn.Close(); known != nil {
			err = known
		}
		l.ended(err)
	})
	<-l.over
}

// kill is end for a server that answers nothing and is not waited for.
func (l *line) kill(err error) {
	l.once.Do(func() {
		l.conn.Kill()
		l.ended(err)
	})
	<-l.over
}

func (l *line) ended(cause error) {
	l.cause = cause
	l.reason = fmt.Errorf("%w: %w", device.ErrLost, cause)
	close(l.over)
}

func (l *line) close() { l.end(device.ErrClosed) }

// lost ends the line and is the error of its calls.
func (l *line) lost(err error) error {
	l.end(err)
	return l.reason
}

// call sends a request and waits for its reply.
func (l *line) call(b []byte, k kind) (body, error) {
	if _, err := l.start(b, k); err != nil {
		return body{}, err
	}
	return l.wait()
}

// start sends a request.
func (l *line) start(b []byte, k kind) (call uint32, err error) {
	select {
	case <-l.over:
		return 0, l.reason
	default:
	}
	l.calls++
	l.quiet.begin()
	if err := send(l.out, b, l.calls, k); err != nil {
		return 0, l.lost(err)
	}
	return l.calls, nil
}

var errTurn = errors.New("remote: a reply to another request")

// wait takes the reply of the request that was started last.
func (l *line) wait() (body, error) {
	defer l.quiet.end()
	for {
		var err error
		if l.turn, err = read(l.turns, l.turn.body); err == nil && l.turn.call != l.calls {
			err = errTurn
		}
		if err != nil {
			return body{}, l.lost(err)
		}
		if l.turn.kind != replyGoing {
			return reply(l.turn)
		}
		l.quiet.begin()
	}
}

func reply(m message) (body, error) {
	r := body{b: m.body}
	if m.kind == replyError {
		return body{}, r.error()
	}
	return r, nil
}

// stop asks for a call to end early.
func (l *line) stop(call uint32) {
	_ = l.tell(putInt(frame(nil), int(call)), askStop) // a line that has ended needs none
}

func (l *line) tell(b []byte, k kind) error {
	l.write.Lock()
	defer l.write.Unlock()
	return send(l.conn.Asides(), b, 0, k)
}

// ask makes a call that does not wait for a turn. It may come from any
// goroutine.
func (l *line) ask(b []byte, k kind) (body, error) {
	l.aside.Lock()
	defer l.aside.Unlock()
	l.hush.begin()
	defer l.hush.end()
	if err := l.tell(b, k); err != nil {
		return body{}, l.lost(err)
	}
	m, err := read(l.asides, nil)
	if err != nil {
		return body{}, l.lost(err)
	}
	return reply(m)
}
