// Package live follows the events of a running server over HTTP, as
// server-sent events ("data: {…}") or as plain JSON lines, each an object that
// package result writes. It only reads.
//
//	feed, err := live.Open(ctx, "http://127.0.0.1:8080")
//	for {
//		news, ok := feed.Take(ctx) // waits for some
//		…
//	}
//
// A lost connection is made again, with growing pauses; where the server
// numbers its events, it is told the last number. A number like START-7 tells by
// its first part that another server answers now. Lines that are no event of
// the vocabulary are counted and passed over.
//
// Beside the stream, the counts of the server's /metrics are read every two
// seconds: what no event tells, such as lanes, the promised share and totals
// since the start. A server without them is followed by its events alone.
package live
