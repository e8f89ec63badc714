// Package report draws what a scheduler did: a page to send to a colleague, a
// picture to paste into an issue, a trace to open in Perfetto.
//
// Everything is drawn from core's events. A [Run] is a sink that keeps what
// the drawings need of one run, in memory that does not grow with the run's
// length; a [Trace] is a sink that writes each event on as it comes. So a run
// may be simulated, live, or read back from a file of JSON lines by [Replay]:
//
//	err := report.Replay(file, func(run int, head *result.Head, name func(core.ID) string) []core.Sink { … })
//
// A [Study] puts runs beside the document of results that they belong to, the
// settings of each arm and the machine. [WritePage] makes one HTML file of it
// that needs nothing else: no network, no fonts, no script of others.
// [WritePlot] makes the charts that people paste, as SVG or PNG.
//
// # The timeline
//
// Time runs to the right and all arms of a case share one scale. A slot shows
// its prompt steps, its rounds, and the stalls: the time in which its reply
// was decoding and the device ran somebody else's prompt. Where a lane has too
// many spans to draw, it is cut into columns, and the height of a colour in a
// column is its share of the column's time. Areas are times in both.
//
// # Determinism
//
// The same events and documents give the same bytes. Nothing here reads a
// clock or ranges over a map.
package report
