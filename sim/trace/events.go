package trace

import (
	"strconv"

	"github.com/tfsim/tfsim/core"
)

// oneRun is what a trace may hold of what --events writes.
const oneRun = "a file of one run; --arm and --case give the events of one"

// events reads what --events writes: requests as they were submitted, with the
// replies that they got.
type events struct {
	awaited
	sent  core.Micros
	begun bool // a line was read
}

func newEvents(r *rows, left *leftOut) source { return &events{awaited: newAwaited(r, left)} }

func (e *events) next(r *Request) error { return e.read(r, e.take) }

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
		if e.begun {
			return wrong("a second run", "", oneRun)
		}
		e.begun = true
		return nil
	}
	e.begun = true
	if x.At == nil || x.Event == "" {
		return wrong("no event", string(line), "an object with at_us and event, as --events writes")
	}
	if err := recorded(*x.At); err != nil {
		return err
	}
	switch x.Event {
	case "submitted":
		if *x.At < e.sent {
			return wrong("a request before the one above it", strconv.FormatInt(int64(*x.At), 10), oneRun)
		}
		e.sent = *x.At
		return e.send(x.ID, Request{At: *x.At, Prompt: x.Rows, Output: x.Tokens, CancelAt: core.Never})
	case "tokens":
		return e.came(x.ID, x.Total)
	case "finished":
		e.done(x.ID)
	case "cancelled":
		e.cancelled(x.ID, *x.At)
	case "failed":
		e.failed(x.ID)
	}
	return nil
}
