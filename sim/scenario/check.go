package scenario

import "slices"

// Check refuses load names that a machine, so named, does not know. Its error is
// an *Error at the first such name. Call it once the machine is open.
func Check(f *File, machine string, loads []string) error {
	for i := range f.Cases {
		c := &f.Cases[i]
		for j := range c.Requests {
			if err := f.known(&c.Requests[j].Load, machine, loads); err != nil {
				return err
			}
		}
		if c.Workload == nil {
			continue
		}
		for j := range c.Workload.Mix {
			if err := f.known(&c.Workload.Mix[j].Load, machine, loads); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *File) known(l *Text, machine string, loads []string) error {
	for i, name := range l.Names {
		if name == "" || slices.Contains(loads, name) {
			continue
		}
		return &Error{
			File: f.Path, Pos: l.At[i],
			What: "unknown load of " + machine, Value: name, Accepted: list(loads),
		}
	}
	return nil
}
