package device

// Passes is the number of passes over the weights that a launch takes, by the
// slots of its windows, ascending, and the rows that each asks for. A pass
// takes the same number of rows of each slot it has, where Equal is set, and
// neighbouring slots alone, where Compact is.
func (s Shapes) Passes(slots, rows []int) int {
	if len(slots) == 0 {
		return 0
	}
	if !s.Equal && !s.Compact {
		return 1
	}
	left := make([]int, len(rows))
	for i, n := range rows {
		left[i] = s.Padded(n)
	}
	for passes := 0; ; passes++ {
		start := 0
		for start < len(left) && left[start] == 0 {
			start++
		}
		if start == len(left) {
			return passes
		}
		// The slots of this pass: from the first that has rows left.
		least, last := left[start], start
		for i := start + 1; i < len(left); i++ {
			if s.Compact && (slots[i] != slots[last]+1 || left[i] == 0) {
				break
			}
			if left[i] > 0 {
				least, last = min(least, left[i]), i
			}
		}
		for i := start; i <= last; i++ {
			if s.Equal {
				left[i] = max(left[i]-least, 0)
			} else {
				left[i] = 0
			}
		}
	}
}
