package engine

import "github.com/tfsim/tfsim/core"

// prefix is the key of a request's prompt for core, and the rows that its
// beginning shares with the prompt, of those not yet in, whose state will be
// of most use to it: it gets that one's key. A prompt is not worth waiting for
// if it is more than twice as long as what is shared, or if a kept state gives
// as much.
func (l *Live) prefix(r *Reply) (key uint64, rows int) {
	prompt := r.request.Prompt
	rows = max(l.hands.cache.find(prompt).rows, leastKept-1)
	r.prefix = uint64(r.id)
	var best core.ID
	for _, o := range l.replies {
		if o == r || o.phase != waiting && o.phase != filling || len(o.drawn) > 0 {
			continue
		}
		if !l.hands.cache.fits(o.request.Prompt, l.info.StateBytes) {
			continue
		}
		n := shared(o.request.Prompt, prompt[:len(prompt)-1])
		// Of equals the oldest, whatever the order of the map.
		if 2*n >= len(o.request.Prompt) && (n > rows || n == rows && best != 0 && o.id < best) {
			rows, best, r.prefix = n, o.id, o.prefix
		}
	}
	if best == 0 {
		rows = 0
	}
	return r.prefix, rows
}
