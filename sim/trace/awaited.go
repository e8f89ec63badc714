package trace

import (
	"errors"
	"io"
	"strconv"

	"github.com/tfsim/tfsim/core"
)

// awaited are requests of a recorded run in the order of their sending. How
// long a reply was is known at its end, so each is given out once it is over
// and all before it are.
type awaited struct {
	*rows
	queue []*await
	open  map[core.ID]*await
	left  *leftOut
	last  bool // the file is read
}

// await is one request: Output is what was asked for, got what came.
type await struct {
	Request
	got         int
	over, shown bool
}

// mostAwaited bounds them: beyond it the first is given out as it is.
const mostAwaited = 1 << 16

func newAwaited(r *rows, left *leftOut) awaited {
	return awaited{rows: r, open: map[core.ID]*await{}, left: left}
}

// read gives the next request that is over; take reads a line.
func (a *awaited) read(r *Request, take func(line []byte) error) error {
	for !a.pop(r) {
		if a.last {
			return io.EOF
		}
		line, err := a.rows.next()
		if errors.Is(err, io.EOF) {
			a.last = true
			continue
		}
		if err != nil {
			return err
		}
		if err := take(line); err != nil {
			return err
		}
	}
	return nil
}

func (a *awaited) place() int { return a.line }

// send takes a request that was sent.
func (a *awaited) send(id core.ID, r Request) error {
	if r.Prompt < 1 || r.Output < 1 || r.Prompt > mostTokens || r.Output > mostTokens {
		return wrong("a request of no length", strconv.Itoa(r.Prompt)+" and "+strconv.Itoa(r.Output)+" tokens", "1 to %d tokens of prompt and reply", mostTokens)
	}
	if a.open[id] != nil {
		return wrong("a request is sent twice", "", oneRun)
	}
	q := &await{Request: r}
	a.queue = append(a.queue, q)
	a.open[id] = q
	return nil
}

// came takes tokens of a reply, all so far.
func (a *awaited) came(id core.ID, total int) error {
	if total < 0 || total > mostTokens {
		return wrong("a reply of no length", strconv.Itoa(total)+" tokens", "0 to %d tokens", mostTokens)
	}
	if q := a.open[id]; q != nil {
		q.got = total
	}
	return nil
}

// done says that a request has its whole reply.
func (a *awaited) done(id core.ID) {
	if q := a.end(id); q != nil {
		q.Output, q.shown = q.got, true
	}
}

// cancelled says that the sender gave up. The reply would have been as long as
// asked, as far as anybody knows.
func (a *awaited) cancelled(id core.ID, at core.Micros) {
	if q := a.end(id); q != nil {
		q.CancelAt, q.shown = at, true
	}
}

// failed says that a request got no reply.
func (a *awaited) failed(id core.ID) {
	if a.end(id) != nil {
		a.left.out("requests that failed in the recording, left out")
	}
}

func (a *awaited) end(id core.ID) *await {
	q := a.open[id]
	if q != nil {
		delete(a.open, id)
		q.over = true
	}
	return q
}

// pop gives the next request that is over, at the end of the file any.
func (a *awaited) pop(r *Request) bool {
	for len(a.queue) > 0 {
		q := a.queue[0]
		switch {
		case q.over:
		case a.last || len(a.queue) > mostAwaited:
			a.left.out("replies that the recording does not end, taken as long as asked")
			q.shown = true
		default:
			return false
		}
		a.queue[0] = nil
		a.queue = a.queue[1:]
		if q.shown {
			*r = q.Request
			return true
		}
	}
	return false
}

// recorded checks a recorded time.
func recorded(at core.Micros) error {
	if at < 0 || at > mostSeconds*1e6 {
		return wrong("a time out of range", strconv.FormatInt(int64(at), 10), "microseconds, from 0 to %.0f", float64(mostSeconds*1e6))
	}
	return nil
}
