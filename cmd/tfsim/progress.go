package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// progressAfter is how long a command may run in silence.
const progressAfter = 500 * time.Millisecond

// progress draws one line on standard error while something takes long.
type progress struct {
	lock    sync.Mutex
	w       io.Writer
	show    bool
	what    string
	started time.Time
	drawn   time.Time
	width   int
	// since is the last moment of the silence before the line, and before what
	// was done by then, such as what a journal had: the time left is told by
	// what came after.
	since  time.Time
	before int
}

func newProgress(o *options, w io.Writer, what string) *progress {
	now := time.Now()
	return &progress{w: w, show: o.showProgress(w), what: what, started: now, since: now}
}

// step says how far it is.
func (p *progress) step(done, total int) {
	p.lock.Lock()
	defer p.lock.Unlock()
	now := time.Now()
	if now.Sub(p.started) < progressAfter {
		p.since, p.before = now, done
		return
	}
	if !p.show || now.Sub(p.drawn) < progressAfter/5 {
		return
	}
	p.drawn = now
	line := fmt.Sprintf("%s: %d of %d runs", p.what, done, total)
	if done > p.before && done < total {
		left := now.Sub(p.since) * time.Duration(total-done) / time.Duration(done-p.before)
		line += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	pad := max(p.width-len(line), 0)
	p.width = len(line)
	_, _ = fmt.Fprint(p.w, "\r"+line+strings.Repeat(" ", pad))
}

// say prints a message above the line.
func (p *progress) say(line string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.erase()
	_, _ = fmt.Fprintf(p.w, "tfsim: %s\n", oneLine(line))
}

// clear removes the line.
func (p *progress) clear() {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.erase()
}

func (p *progress) erase() {
	if p.width > 0 {
		_, _ = fmt.Fprint(p.w, "\r"+strings.Repeat(" ", p.width)+"\r")
		p.width = 0
	}
}
