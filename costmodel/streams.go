package costmodel

import "slices"

// StreamWindow is a window of a launch over the caches of streams.
type StreamWindow struct {
	Slot, Rows int
	// Tokens are in its cache.
	Tokens int64
}

// Passes appends the loads of the passes over the weights that a launch over
// streams takes; the windows are sorted and used up. Each pass takes the same
// number of rows, the least that is left, of a run of neighbouring slots. Rows
// that are drawn are spread over the passes.
func Passes(loads []Load, windows []StreamWindow, sampled int) []Load {
	slices.SortFunc(windows, func(a, b StreamWindow) int { return a.Slot - b.Slot })
	total := 0
	for i := range windows {
		total += windows[i].Rows
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
		l.Sampled = sampled * l.Rows / total
		loads = append(loads, l)
	}
	return loads
}
