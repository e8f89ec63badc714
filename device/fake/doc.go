// Package fake is a device without a model: what follows a text is a hash of
// the whole of it. One row lost, doubled, taken from another slot or left over
// from a refused draft therefore changes every token after it. Its drafter
// knows the answer and gives a wrong one at about one position in five.
//
// It is exact for any shape and works in no time, or in the time that a cost
// table gives. It can be told to be lost or to fail, so that an engine and a
// server can be tested on it.
package fake
