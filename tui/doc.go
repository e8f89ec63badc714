// Package tui is the dashboard: slots and rounds as they happen, of a
// simulation that is played or of a running server.
//
//	err := tui.Simulate(ctx, file, study.Options{}, terminal)
//	err := tui.Attach(ctx, "http://127.0.0.1:8080", "", terminal)
//
// Events are its input; what they cannot tell of a running server, such as its
// totals since its start, comes from the server's metrics. Both go through
// three steps, each a package: state makes figures of them, view draws figures
// into cells, and the model here decides which events are due and what keys do.
//
// The model is one Bubble Tea model. Its Update does no I/O and never waits:
// events are fetched by commands, a batch at a time and only when few are
// left, so a simulation runs no further ahead than a batch. A frame is drawn
// on a tick or a key, not on a batch; between two frames any number of events
// may be applied.
//
// # Time
//
// A simulation is a stream that can be opened again and gives the same events.
// Playing, stepping, jumping and scrubbing are all the same: apply events until
// the next one is beyond a goal. A goal that lies in the past opens the stream
// again first.
//
// # What if
//
// A changed setting opens a second stream: the same run, whose settings change
// at this moment. It is played silently up to there, event for event as the
// first, since what is decided before the change is decided by the old
// settings. What the device does at that moment goes on; the next decision is
// made by the new ones. Both then go on in step, and the figures since that
// moment stand side by side. Lanes and the prompt cache are the device's and
// cannot change.
package tui
