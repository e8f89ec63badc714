// Package exactness measures, on a device at hand, whether a text depends on
// how it was scheduled: how many of a reply's tokens would be others in wider
// windows, beside other requests, or with its prompt in pieces.
//
// The reference is a reply decoded alone, one row at a time. Each
// schedule goes along that very text, and counts the positions at which the
// device would have gone another way. A device that promises exactness has
// none; elsewhere the counts say what its promise is worth.
package exactness
