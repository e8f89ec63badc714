package trace

import (
	"errors"
	"io"
	"strconv"

	"github.com/tfsim/tfsim/core"
)

// oneRun is what a trace may hold of what --events writes.
const oneRun = "a file of one run; --arm and --case give the events of one"

// events reads what --events writes: requests as they were submitted, with the
// replies that they got.
type events struct {
	*rows
	awaited
	sent core.Micros
	head bool // the line that says which run it is was read
	last bool
}

func newEvents(r *rows, left *leftOut) source { return &events{rows: r, awaited: newAwaited(left)} }

func (e *events) next(r *Request) error {
	for !e.pop(r, e.last) {
		if e.last {
			return io.EOF
		}
		line, err := e.rows.next()
		if errors.Is(err, io.EOF) {
			e.last = true
			continue
		}
		if err != nil {
			return err
		}
		if err := e.take(line); err != nil {
			return err
		}
	}
	return nil
}

// take reads one event.
func (e *events) take(line []byte) error {
	var x struct {
		Run    *struct{}    `json:"run"`
		At     *core.Micros `json:"at_us"`
		Event  string       `json:"event"`
		ID     core.ID      `json:"id"`
		Rows   int          `json:"rows"`
		Tokens int          `json:"tokens"`
		Total  int          `json:"total"`
	}
	if err := unmarshal(line, &x); err != nil {
		return err
	}
	if x.Run != nil {
		if e.head || e.sent > 0 {
			return wrong("a second run", "", oneRun)
		}
		e.head = true
		return nil
	}
	if x.At == nil || x.Event == "" {
		return wrong("no event", string(line), "an object with at_us and event, as --events writes")
	}
	switch x.Event {
	case "submitted":
		if *x.At < e.sent {
			return wrong("a request before the one above it", strconv.FormatInt(int64(*x.At), 10), oneRun)
		}
		e.sent = *x.At
		return e.sending(x.ID, Request{At: *x.At, Prompt: x.Rows, Output: x.Tokens, CancelAt: core.Never})
	case "tokens":
		e.came(x.ID, x.Total)
	case "finished":
		e.done(x.ID)
	case "cancelled":
		e.cancelled(x.ID, *x.At)
	case "failed":
		e.failed(x.ID)
	}
	return nil
}

// sending checks the lengths of a request that was sent.
func (a *awaited) sending(id core.ID, r Request) error {
	if r.Prompt < 1 || r.Output < 1 || r.Prompt > mostTokens || r.Output > mostTokens {
		return wrong("a request of no length", strconv.Itoa(r.Prompt)+" and "+strconv.Itoa(r.Output)+" tokens", "1 to %d tokens of prompt and reply", mostTokens)
	}
	return a.send(id, r)
}

func (e *events) place() int { return e.line }
