package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/sim/result"
)

// recordRoom is how many events a disk may be behind.
const recordRoom = 1 << 16

// recordEvents writes an engine's events to a file until the engine stops. The
// channel gives one error, nil without a file.
func recordEvents(live *engine.Live, file *eventFile) <-chan error {
	done := make(chan error, 1)
	if file == nil {
		done <- nil
		return done
	}
	watch := live.Watch(recordRoom)
	go func() {
		defer watch.Stop()
		done <- writeEvents(watch, file)
	}()
	return done
}

func writeEvents(watch *engine.Watch, file *eventFile) error {
	lines := result.NewJSONL(file.buffer, nil)
	var events []core.Event
	missed := 0
	for {
		var gap int
		var err error
		events, gap, err = watch.Next(context.Background(), events[:0])
		missed += gap
		if errors.Is(err, io.EOF) {
			break
		}
		for i := range events {
			lines.Record(&events[i])
		}
		if err = lines.Err(); err == nil {
			err = file.buffer.Flush()
		}
		if err != nil {
			return fmt.Errorf("--events: %w", err)
		}
	}
	if missed > 0 {
		return fmt.Errorf("--events: %d events are missing: the disk was too slow", missed)
	}
	return file.keep()
}

// printNotes prints what happens around the engine, until it is stopped.
func printNotes(w io.Writer, notes <-chan string) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	print := func(text string) { fmt.Fprintf(w, "tfsim: %s %s\n", time.Now().Format(time.TimeOnly), oneLine(text)) }
	go func() {
		defer close(ended)
		for {
			select {
			case n := <-notes:
				print(n)
			case <-end:
				for len(notes) > 0 {
					print(<-notes)
				}
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}
