// Package engine drives core over a device with a clock. The loop exists
// once: a virtual clock makes it a simulation, the wall clock a server.
package engine
