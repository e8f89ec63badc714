package sim

import (
	"fmt"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
)

// Change is a configuration that holds from a moment of a run on. What the
// device does at that moment goes on as it is: the first decision after it is
// made under the new configuration.
type Change struct {
	// At and Events are the moment: a time, and how many events come up to it.
	// The zero moment is before the first.
	At     core.Micros
	Events int64
	Config core.Config
	// Held, if not nil, is told when the configuration is taken.
	Held func(at core.Micros)
}

// due says that the moment has come.
func (c *Change) due(now core.Micros, events int64) bool {
	return c != nil && now >= c.At && events >= c.Events
}

// Do has the device do an action, which is outstanding until the next Deliver
// is over.
func (in *inputs) Do(a *core.Action, o *core.Outcome) error {
	in.busy = true
	return in.device.Do(a, o)
}

var _ device.Doer = (*inputs)(nil)

// reconfigure gives the scheduler the new configuration once it is due and no
// action is outstanding.
func (in *inputs) reconfigure(s *core.Scheduler, now core.Micros) error {
	c := in.change
	if in.busy || !c.due(now, in.events) {
		return nil
	}
	in.change = nil
	if err := s.Reconfigure(c.Config); err != nil {
		return fmt.Errorf("sim: change at %d µs: %w", now, err)
	}
	if c.Held != nil {
		c.Held(now)
	}
	return nil
}
