package engine

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
)

// Clock tells the time of the loop and waits on it.
type Clock interface {
	Now() core.Micros
	// Wait returns at the given time, or earlier where an input came.
	Wait(until core.Micros)
}

// Inputs are the submits and cancels of a run, in the order of their stamps.
type Inputs interface {
	// Deliver hands every input stamped at or before now to the scheduler.
	Deliver(s *core.Scheduler, now core.Micros) error
	// Next is the stamp of the next input, or core.Never when none is known.
	Next() core.Micros
}

// Run drives the scheduler until nothing is left to do: it waits without end
// and no input is known. It returns the first error of the device, the inputs
// or the scheduler.
func Run(s *core.Scheduler, d device.Doer, c Clock, in Inputs) error {
	var o core.Outcome
	for {
		if err := in.Deliver(s, c.Now()); err != nil {
			return err
		}
		a := s.Next(c.Now())
		if a.Kind == core.Wait {
			until := min(a.Until, in.Next())
			if until == core.Never {
				return nil
			}
			c.Wait(until)
			continue
		}
		if err := d.Do(a, &o); err != nil {
			return err
		}
		if err := in.Deliver(s, c.Now()); err != nil {
			return err
		}
		if err := s.Done(c.Now(), &o); err != nil {
			return err
		}
	}
}
