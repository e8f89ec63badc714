package tune

// Verdict is what to do.
type Verdict string

// The verdicts.
const (
	// Recommended: the winner beats the default beyond the noise and by what
	// matters, or keeps constraints that the default breaks.
	Recommended Verdict = "recommended"
	// NoDifference: nothing that was tried does.
	NoDifference Verdict = "no difference"
	// Infeasible: no candidate keeps the constraints.
	Infeasible Verdict = "infeasible"
	// Interrupted: the search did not come to an end, so nothing is settled.
	Interrupted Verdict = "interrupted"
)

// Verdict judges by the reported samples.
func (f *Found) Verdict() Verdict {
	switch {
	case f.End == EndInterrupted:
		return Interrupted
	case !f.Winner.Holds():
		return Infeasible
	case f.Default == nil || !f.Default.Holds():
		return Recommended
	case f.Beats(f.Winner, f.Default):
		return Recommended
	}
	return NoDifference
}

// Beats says that a costs less than b beyond the noise, and by what matters.
func (f *Found) Beats(a, b *Candidate) bool {
	d := b.Over(a)
	return d.Low > 0 && d.Mean > matters(f.Least, a.Cost().Mean, b.Cost().Mean)
}
