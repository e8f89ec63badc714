package core

import "fmt"

// audit checks what must hold of a scheduler at any time: each lane is free or
// one request's, and each entry of the storage is free or in flight.
func audit(s *Scheduler) error {
	seen := make(map[int]bool)
	for _, slot := range s.freeSlots {
		if seen[slot] || s.slots[slot] != -1 {
			return fmt.Errorf("slot %d is free twice or in use", slot)
		}
		seen[slot] = true
	}
	for _, i := range s.admitted {
		st := &s.streams[i]
		if seen[st.slot] || s.slots[st.slot] != i {
			return fmt.Errorf("slot %d is of request %d and another", st.slot, st.req.ID)
		}
		seen[st.slot] = true
	}
	switch {
	case len(seen) != len(s.slots):
		return fmt.Errorf("%d slots of %d are accounted for", len(seen), len(s.slots))
	case len(s.byID) != s.queue.waiting()+len(s.admitted):
		return fmt.Errorf("%d requests in flight, %d wait, %d are admitted", len(s.byID), s.queue.waiting(), len(s.admitted))
	case len(s.streams) != len(s.free)+len(s.byID):
		return fmt.Errorf("%d entries: %d free, %d in flight", len(s.streams), len(s.free), len(s.byID))
	}
	return nil
}
