package report

import (
	"io"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
)

// Replay reads events that were written as JSON lines and hands them to the
// sinks that open gives for each run in turn. A run begins with its head, or
// where time goes back; head is nil where there is none. name gives a request's
// name from its submission on.
func Replay(r io.Reader, open func(run int, head *result.Head, name func(core.ID) string) []core.Sink) error {
	names := make(map[core.ID]string)
	name := func(id core.ID) string { return names[id] }
	var sinks []core.Sink
	var last core.Micros
	runs := 0
	begin := func(head *result.Head) {
		clear(names)
		sinks = open(runs, head, name)
		runs++
		last = 0
	}
	return result.ReadRuns(r, func(head result.Head) error {
		begin(&head)
		return nil
	}, func(l *result.Line) error {
		if runs == 0 || l.At < last {
			begin(nil)
		}
		last = l.At
		if l.Request != "" {
			names[l.ID] = l.Request
		}
		for _, s := range sinks {
			s.Record(&l.Event)
		}
		switch l.Kind {
		case core.EventFinished, core.EventCancelled, core.EventFailed:
			delete(names, l.ID)
		}
		return nil
	})
}
