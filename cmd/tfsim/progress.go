package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// progressAfter is how long a command may run in silence.
const progressAfter = 500 * time.Millisecond

// progress draws one line on standard error while something takes long.
type progress struct {
	w       io.Writer
	what    string
	started time.Time
	drawn   time.Time
	width   int
}

func newProgress(o *options, w io.Writer, what string) *progress {
	if !o.showProgress(w) {
		w = nil
	}
	return &progress{w: w, what: what, started: time.Now()}
}

// step says how many runs are done.
func (p *progress) step(done, total int) {
	p.draw(fmt.Sprintf("%d of %d runs", done, total), float64(done)/float64(max(total, 1)))
}

// part says what part is done.
func (p *progress) part(done float64) { p.draw(fmt.Sprintf("%.0f%%", 100*done), done) }

func (p *progress) draw(text string, done float64) {
	now := time.Now()
	if p.w == nil || now.Sub(p.started) < progressAfter || now.Sub(p.drawn) < progressAfter/5 {
		return
	}
	p.drawn = now
	line := p.what + ": " + text
	if done > 0 && done < 1 {
		left := time.Duration(float64(now.Sub(p.started)) * (1 - done) / done)
		line += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	pad := max(p.width-len(line), 0)
	p.width = len(line)
	_, _ = fmt.Fprint(p.w, "\r"+line+strings.Repeat(" ", pad))
}

// clear removes the line.
func (p *progress) clear() {
	if p.w != nil && p.width > 0 {
		_, _ = fmt.Fprint(p.w, "\r"+strings.Repeat(" ", p.width)+"\r")
		p.width = 0
	}
}
