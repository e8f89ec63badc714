// Package tui is the dashboard: slots and rounds as they happen, of a
// simulation that is played or of a running server.
//
//	err := tui.Simulate(ctx, file, study.Options{}, terminal)
//	err := tui.Attach(ctx, "http://127.0.0.1:8080", terminal)
//
// Events are its only input. They go through three steps, each a package:
// state makes figures of them, view draws figures into cells, and the model
// here decides which events are due and what keys do.
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
// A changed setting opens a second stream with it. That one is played from the
// start under the new settings, silently, up to the moment of the change; from
// then on both go on in step, and the figures since that moment stand side by
// side.
package tui
