package state

// maxDepth is the most drafts of a window that are told apart.
const maxDepth = 16

// chances counts, for each draft position, how often it was verified with
// those before it kept, and how often it was kept.
type chances struct {
	seen, kept [maxDepth]int64
}

func (c *chances) saw(drafts, kept int) {
	for j := range min(drafts, kept+1, maxDepth) {
		c.seen[j]++
		if j < kept {
			c.kept[j]++
		}
	}
}

// Gain is how many tokens a window of so many drafts gave by what was seen:
// one, and for each draft the chance that it and all before it are kept. ok is
// false where some position was never seen.
func (s *State) Gain(drafts int) (tokens float64, ok bool) {
	tokens = 1
	chain := 1.0
	for j := range min(drafts, maxDepth) {
		p, ok := s.Chance(j)
		if !ok {
			return 0, false
		}
		chain *= p
		tokens += chain
	}
	return tokens, true
}

// Chance is the part of drafts at a position, counted from 0, that were kept
// when those before them were.
func (s *State) Chance(position int) (part float64, ok bool) {
	if position >= maxDepth || s.chances.seen[position] == 0 {
		return 0, false
	}
	return float64(s.chances.kept[position]) / float64(s.chances.seen[position]), true
}
