package trace

import "github.com/tfsim/tfsim/core"

// awaited are requests of a recorded run in the order of their sending. How
// long a reply was is known at its end, so each is given out once it is over
// and all before it are.
type awaited struct {
	queue []*await
	open  map[core.ID]*await
	left  *leftOut
}

// await is one request: Output is what was asked for, got what came.
type await struct {
	Request
	got         int
	over, shown bool
}

// mostAwaited bounds them: beyond it the first is given out as it is.
const mostAwaited = 1 << 16

func newAwaited(left *leftOut) awaited { return awaited{open: map[core.ID]*await{}, left: left} }

// send takes a request that was sent.
func (a *awaited) send(id core.ID, r Request) error {
	if a.open[id] != nil {
		return wrong("a request is sent twice", "", oneRun)
	}
	q := &await{Request: r}
	a.queue = append(a.queue, q)
	a.open[id] = q
	return nil
}

// came takes tokens of a reply, all so far.
func (a *awaited) came(id core.ID, total int) {
	if q := a.open[id]; q != nil {
		q.got = total
	}
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
func (a *awaited) pop(r *Request, last bool) bool {
	for len(a.queue) > 0 {
		q := a.queue[0]
		switch {
		case q.over:
		case last || len(a.queue) > mostAwaited:
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
