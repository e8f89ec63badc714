package result

import "github.com/tfsim/tfsim/core"

// steady counts the rounds in which the most replies of the run decoded
// together, with their passes: the rate at so many streams, without the start
// and the end of a run, where fewer decode.
type steady struct {
	windows int
	tokens  int64
	over    core.Micros
	// pass is the wall time of the coming round's pass.
	pass core.Micros
}

func (s *steady) passed(e *core.Event) { s.pass += e.Wall }

func (s *steady) decoded(e *core.Event) {
	if e.Windows > s.windows {
		*s = steady{windows: e.Windows, pass: s.pass}
	}
	if e.Windows == s.windows {
		s.tokens += int64(e.Tokens)
		s.over += e.Wall + s.pass
	}
	s.pass = 0
}
