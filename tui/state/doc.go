// Package state turns the core's events into what a dashboard shows. It is
// pure: no clock, no I/O, no goroutine.
//
//	s := state.New(state.Setup{Lanes: 4})
//	s.Apply(&event, "reply") // every event, in order
//	s.Advance(now)           // the time now, where no event says it
//	… read its fields and methods …
//
// Every event is applied, so totals are exact however many events lie between
// two frames. What is kept besides totals is bounded: the last actions, the
// last rounds, the last requests that ended.
//
// A stream may be joined in its middle: requests that were submitted before
// are known from their first event on, with the figures that were missed
// unknown (zero).
package state
