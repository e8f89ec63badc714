package metal

import "fmt"

// Thermal is how hot the machine is, as the system sees it.
type Thermal uint8

// The thermal states.
const (
	Nominal Thermal = iota
	Fair
	Serious
	Critical
)

var thermalNames = [...]string{"nominal", "fair", "serious", "critical"}

func (t Thermal) String() string {
	if int(t) < len(thermalNames) {
		return thermalNames[t]
	}
	return fmt.Sprintf("thermal(%d)", uint8(t))
}

// ParseThermal gives the state of a name.
func ParseThermal(name string) (Thermal, error) {
	for i, n := range thermalNames {
		if n == name {
			return Thermal(i), nil
		}
	}
	return 0, fmt.Errorf("metal: no thermal state %q; there are nominal, fair, serious, critical", name)
}

// thermalOf maps what the system reports; a state yet unknown is the hottest.
func thermalOf(state int) Thermal {
	return Thermal(min(max(state, 0), int(Critical)))
}

// Throttles says that the machine now slows itself down noticeably, so that
// measured costs hold no longer.
func (t Thermal) Throttles() bool { return t >= Serious }

// Change is an event: the thermal state turned.
type Change struct {
	From, To Thermal
}

// String says it in the words of the event log: "thermal fair → serious".
func (c Change) String() string { return fmt.Sprintf("thermal %s → %s", c.From, c.To) }

// Watch turns readings into events. The zero value starts at nominal.
type Watch struct {
	now Thermal
}

// Now is the last reading; as a metric it is 0 (nominal) to 3 (critical).
func (w *Watch) Now() Thermal { return w.now }

// See takes a reading, and gives a change if it is one.
func (w *Watch) See(t Thermal) (Change, bool) {
	c := Change{w.now, t}
	w.now = t
	return c, c.From != c.To
}
