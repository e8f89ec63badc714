package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/tfsim/tfsim/device"
)

// reviver brings a lost device back.
type reviver struct {
	ctx    context.Context
	device device.Device
	// pause is how long it waits after a restart that failed.
	pause time.Duration
	// failures is how often in a row the device was lost or did not come
	// back; why is the last reason.
	failures int
	why      error
	down     bool
	restarts int
	// tell is told what happens to the device.
	tell func(string)
	// state is what others see of it.
	state atomic.Int32
}

// DeviceState is what there is of a device.
type DeviceState int32

// A device is there, or is being brought back while its requests wait, or has
// failed so often that they fail.
const (
	DeviceThere DeviceState = iota
	DeviceRestarting
	DeviceFailed
)

func (v *reviver) is(s DeviceState) {
	if v.state.Load() != int32(s) {
		v.state.Store(int32(s))
	}
}

// mostFailures in a row fail the requests of a device.
const mostFailures = 3

// ErrDevice is the error of requests whose device fails again and again.
var ErrDevice = errors.New("engine: the device failed 3 times in a row")

func (v *reviver) hopeless() bool { return v.failures >= mostFailures }

// worked notes that the device did something of use.
func (v *reviver) worked() {
	v.failures = 0
	v.is(DeviceThere)
}

// lost notes a loss and restarts the device.
func (v *reviver) lost(err error) {
	v.failures++
	v.why, v.down = err, true
	v.is(DeviceRestarting)
	defer func() {
		if v.hopeless() {
			v.is(DeviceFailed)
		}
	}()
	v.tell("the device was lost: " + err.Error())
	for v.down && !v.hopeless() {
		if v.restart() != nil && !v.hopeless() {
			select {
			case <-time.After(v.pause):
			case <-v.ctx.Done():
				return
			}
		}
	}
}

func (v *reviver) restart() error {
	r, ok := v.device.(device.Restarter)
	if !ok {
		v.failures = mostFailures
		return v.why
	}
	if err := r.Restart(v.ctx); err != nil {
		v.failures++
		v.why = fmt.Errorf("%w: %w", device.ErrLost, err)
		v.tell("the device did not come back: " + err.Error())
		return err
	}
	v.down = false
	v.restarts++
	v.is(DeviceThere)
	v.tell("the device is back")
	return nil
}

// ready tries a device that is down once more.
func (v *reviver) ready() error {
	if !v.down {
		return nil
	}
	return v.restart()
}
