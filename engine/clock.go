package engine

import (
	"time"

	"github.com/tfsim/tfsim/core"
)

// LiveClock is a clock whose waits end early when something came.
type LiveClock interface {
	Clock
	// Wake ends the wait of now, or the next one. Any goroutine may call it.
	Wake()
}

// wall is the wall's clock, in microseconds since it was made.
type wall struct {
	started time.Time
	wake    chan struct{}
}

// WallClock is real time, from now on.
func WallClock() LiveClock { return &wall{started: time.Now(), wake: make(chan struct{}, 1)} }

func (w *wall) Now() core.Micros { return core.Micros(time.Since(w.started).Microseconds()) }

func (w *wall) Wake() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *wall) Wait(until core.Micros) {
	if until >= someTime {
		<-w.wake
		return
	}
	if until <= w.Now() {
		return
	}
	t := time.NewTimer(time.Duration(until-w.Now()) * time.Microsecond)
	defer t.Stop()
	select {
	case <-w.wake:
	case <-t.C:
	}
}

// someTime stands for an input that is not known yet: late, and not never.
const someTime = core.Never - 1
