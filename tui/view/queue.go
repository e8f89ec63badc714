package view

import (
	"fmt"

	"github.com/tfsim/tfsim/tui/state"
)

// drawQueue lists the requests that wait, then those that ended last.
func drawQueue(a area, s *Scene) {
	st := s.State
	body := heading(a, fmt.Sprintf("queue: %s wait, %s over", count(int64(st.Waiting())), count(st.Total.Ended())), s.Focus == Queue)
	head := func(y int, style Style, name, state, prompt, out, first, done string, stateStyle Style) {
		wide := max(body.Dx()-46, 6)
		x := body.field(1, y, wide, style, name)
		x = body.field(x+1, y, 10, stateStyle, state)
		x = body.number(x, y, 9, style, prompt)
		x = body.number(x, y, 7, style, out)
		x = body.number(x, y, 9, style, first)
		body.number(x, y, 9, style, done)
	}
	head(0, Dim, "request", "state", "prompt", "tokens", "first", "done", Dim)
	y := 1
	skip := 0
	if s.Focus == Queue {
		skip = s.Row
	}
	waiting := min(st.Waiting(), max((body.Dy()-1)/2, body.Dy()-1-st.Ended.Len()))
	for i, r := range st.Queue(skip + waiting) {
		if i < skip {
			continue
		}
		head(y, Plain, title(r), "waits", count(int64(r.Prompt)), count(int64(r.Output)), span(st.Now-r.Submitted), "", Warn)
		y++
	}
	for age := max(skip-st.Waiting(), 0); age < st.Ended.Len() && y < body.Dy(); age++ {
		r := st.Ended.At(age)
		style := Good
		if r.Phase != state.Done {
			style = Bad
		}
		text := r.Phase.String()
		if r.Phase == state.Failed && r.Reason != "" && r.Reason != "failed" {
			text = r.Reason
		}
		head(y, Plain, title(r), text, count(int64(r.Prompt)), count(int64(r.Emitted)),
			timed(r.TTFT()), span(r.Ended-r.Submitted), style)
		y++
	}
	if y == 1 {
		body.put(1, 1, Dim, "nobody waits and nothing ended yet")
	}
}
