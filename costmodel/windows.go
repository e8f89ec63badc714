package costmodel

// Windows prices a launch from a grid as it was measured. Duplicate rows cost
// what any row costs.
type Windows struct {
	// MS is ms by sequences, then by rows per sequence; both start at 1.
	MS Grid `json:"ms"`
	// Jump is the ratio of two neighbouring entries, either way, above which
	// nothing is interpolated between them: a shape between costs what the
	// dearer one does. 0 means that every pair is interpolated.
	Jump float64 `json:"jump,omitempty"`
}

// launch is the ms of a launch, context and sampling left out, and how the
// figure was come by. Rows that do not divide evenly fall between the entries
// for fewer and for more rows per sequence.
func (w *Windows) launch(l Load) (float64, Grade) {
	per := float64(l.Rows) / float64(l.Windows)
	g := w.MS
	i := 0
	for i < len(g) && g[i].At < l.Windows {
		i++
	}
	switch {
	case len(g) == 0:
		return 0, Extrapolated
	case i < len(g) && g[i].At == l.Windows:
		return g[i].Ms.at(per, w.Jump)
	case i == 0 || len(g) == 1:
		ms, _ := g[0].Ms.at(per, w.Jump)
		return ms, Extrapolated
	}
	inside := i < len(g)
	if !inside {
		i--
	}
	a, howA := g[i-1].Ms.at(per, w.Jump)
	b, howB := g[i].Ms.at(per, w.Jump)
	n, nA, nB := float64(l.Windows), float64(g[i-1].At), float64(g[i].At)
	how := max(howA, howB, Estimated)
	switch {
	case !inside:
		return beyond(n, nA, a, nB, b), Extrapolated
	case jumps(a, b, w.Jump):
		return max(a, b), how
	}
	return between(n, nA, a, nB, b), how
}
