// Package sampled makes a cost table of timed work: of a device that is measured
// on purpose, or of what a server recorded while it served.
//
// A shape that was timed often enough is priced by itself; a plane through all
// samples, by least squares, fills the gaps. Times are milliseconds.
package sampled
