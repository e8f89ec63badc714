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
	// since is the last moment of the silence before the line, and before the
	// part done by then, such as what a journal had: the time left is told by
	// what came after.
	since  time.Time
	before float64
}

func newProgress(o *options, w io.Writer, what string) *progress {
	now := time.Now()
	return &progress{w: w, show: o.showProgress(w), what: what, started: now, since: now}
}

// step says how many runs are done.
func (p *progress) step(done, total int) {
	p.draw(func() string { return fmt.Sprintf("%d of %d runs", done, total) }, float64(done)/float64(total))
}

// part says what part is done, 0 to 1.
func (p *progress) part(done float64) {
	p.draw(func() string { return fmt.Sprintf("%.0f%%", 100*done) }, done)
}

func (p *progress) draw(text func() string, done float64) {
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
	line := p.what + ": " + text()
	if done > p.before && done < 1 {
		left := time.Duration(float64(now.Sub(p.since)) * (1 - done) / (done - p.before))
		line += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	pad := max(p.width-len(line), 0)
	p.width = len(line)
	_, _ = fmt.Fprint(p.w, "\r"+line+strings.Repeat(" ", pad))
}

// waiting draws how long it has been until the returned function is called,
// which removes the line.
func (p *progress) waiting() (stop func()) {
	ticks := time.NewTicker(progressAfter / 5)
	over, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for {
			select {
			case <-over:
				return
			case now := <-ticks.C:
				p.draw(func() string { return now.Sub(p.started).Truncate(time.Second).String() }, 0)
			}
		}
	}()
	return func() {
		ticks.Stop()
		close(over)
		<-gone
		p.clear()
	}
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
