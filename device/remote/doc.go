// Package remote carries a device over a pair of byte streams, so that it can
// live in another process and die there without taking anybody along.
//
// [Serve] answers for a device on one end, [Client] is that device on the
// other, over two streams. On the first, requests and replies take turns, so
// that a call is one write and one read on either side, by the goroutine that
// makes it: no other is woken. The second is for what must not wait for a
// turn: a stop, which ends a prompt between two chunks, and a tokenize.
//
// A message is a frame: size (8 bytes), call (4), kind (1), and a body of
// varints. Between the chunks of a long prompt the server says that it goes
// on, so that a bound on its silence holds for a chunk, not for the prompt.
// When a stream ends, whatever the reason, calls return device.ErrLost with
// what is known of it, and Restart dials again.
package remote
