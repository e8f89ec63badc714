// Package device says what a scheduler's driver needs of a device: something
// that does one action at a time and says what came of it.
//
// The simulator's device adds the cost of an action to a virtual clock; a
// live one runs a model. Core never sees which it is.
package device

import "github.com/tfsim/tfsim/core"

// Device does what core decides. It is driven by one goroutine.
type Device interface {
	// Do does an action and fills the outcome, whose slices it may reuse.
	// What fails for a request or slot is said in the outcome; an error means
	// that the device is of no further use.
	Do(a *core.Action, o *core.Outcome) error
}
