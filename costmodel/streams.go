package costmodel

import (
	"slices"

	"github.com/tfsim/tfsim/core"
)

// StreamWindow is a window of a launch over the caches of streams.
type StreamWindow struct {
	Slot, Rows int
	// Tokens are in its cache.
	Tokens int64
}

// Passes appends the loads of the passes over the weights that a launch over
// streams takes; the windows are sorted, padded and used up. Each pass takes the
// same number of rows, the least that is left, of a run of neighbouring slots.
// The rows that are drawn, sampled of all, go with the first passes.
func Passes(loads []Load, p core.Packing, windows []StreamWindow, sampled int) []Load {
	slices.SortFunc(windows, func(a, b StreamWindow) int { return a.Slot - b.Slot })
	for i := range windows {
		windows[i].Rows = p.Padded(windows[i].Rows)
	}
	for start := 0; start < len(windows); {
		if windows[start].Rows == 0 {
			start++
			continue
		}
		least, end := windows[start].Rows, start+1
		for ; end < len(windows) && windows[end].Slot == windows[end-1].Slot+1 && windows[end].Rows > 0; end++ {
			least = min(least, windows[end].Rows)
		}
		l := Load{Windows: end - start, Rows: least * (end - start)}
		for i := start; i < end; i++ {
			windows[i].Rows -= least
			l.Context += windows[i].Tokens
			l.Longest = max(l.Longest, windows[i].Tokens)
		}
		l.Sampled = min(sampled, l.Rows)
		sampled -= l.Sampled
		loads = append(loads, l)
	}
	return loads
}
