package device

import "errors"

// What a call is refused for. A refused call changes nothing.
var (
	ErrSlot     = errors.New("device: no such slot")
	ErrPhase    = errors.New("device: slot is not in the phase for this call")
	ErrRows     = errors.New("device: bad number of rows")
	ErrPosition = errors.New("device: rows do not continue the slot's")
	ErrFull     = errors.New("device: context is full")
	ErrToken    = errors.New("device: token is outside the vocabulary")
	ErrSampling = errors.New("device: bad sampling parameter")
	ErrState    = errors.New("device: state is damaged or of another device")
	ErrText     = errors.New("device: text cannot be turned into tokens")
	ErrClosed   = errors.New("device: closed")
)

// ErrLost says that the device is gone, and with it what its slots held.
var ErrLost = errors.New("device: lost")

// ErrFailed says that the work of a call failed. The slots it named are to be
// released; others are as before.
var ErrFailed = errors.New("device: work failed")
