// Package recorded plays what a server recorded again in virtual time: the same
// arrivals, lengths and cancels, drafts that fare as they did, and work that
// costs what a table says or what it cost then. It tells how far the simulation
// is from what was measured, and what other settings would have done.
//
// What was not recorded is filled in: drafts that were never verified fare as
// those of their request and place did, on the whole.
package recorded
