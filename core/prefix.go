package core

// waits says that a queued request is better off without a lane for now:
// another runs the tokens that both begin with, and its state will be kept.
// The wait for one prompt is bounded, from when both were there. Requests
// behind the one that waits go first.
func (s *Scheduler) waits(now Micros, st *stream) bool {
	if s.cfg.PrefixWait == 0 || st.req.Prefix == 0 || st.req.PrefixRows == 0 || s.filling == 0 {
		return false
	}
	for _, i := range s.admitted {
		o := &s.streams[i]
		if o.phase == filling && o.emitted == 0 && o.req.Prefix == st.req.Prefix &&
			o.restored < st.req.PrefixRows && now-max(st.came, o.began) < s.cfg.PrefixWait {
			return true
		}
	}
	return false
}
