package remote

import (
	"fmt"
	"time"
)

// pulse is how often a server says, between two chunks of a prompt, that it
// goes on. A bound on silence is to be well over it.
const pulse = 250 * time.Millisecond

// silence ends a line whose other end says nothing for too long.
type silence struct {
	line  *line
	timer *time.Timer
}

// begin starts the wait, or starts it anew.
func (s *silence) begin() {
	switch {
	case s.line.answer == 0:
	case s.timer == nil:
		s.timer = time.AfterFunc(s.line.answer, func() {
			s.line.kill(fmt.Errorf("no answer within %v", s.line.answer))
		})
	default:
		s.timer.Reset(s.line.answer)
	}
}

// end ends the wait. A line that was found silent just now stays so.
func (s *silence) end() {
	if s.timer != nil {
		s.timer.Stop()
	}
}
