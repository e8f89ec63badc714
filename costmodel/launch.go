package costmodel

import "github.com/tfsim/tfsim/core"

// Load is the truth of one launch: what its price depends on.
type Load struct {
	// Windows is the number of sequences.
	Windows int
	// Rows is the number of rows in total, at least Windows.
	Rows int
	// Duplicate is the number of rows whose tokens and positions equal
	// another row's of the same round, as identical requests in lockstep
	// have; they read the same experts.
	Duplicate int
	// Twins is the number of sequences whose rows are Duplicate.
	Twins int
	// Context is the number of tokens in the caches of all sequences, in
	// total.
	Context int64
	// Longest is the number of tokens in the longest of those caches.
	Longest int64
	// Sampled is the number of rows drawn at a temperature over 0.
	Sampled int
}

// Launch is the price of one launch. A launch without rows or sequences costs
// nothing. One that exceeds the table's limits is priced all the same and
// graded Extrapolated. It allocates nothing.
func (t *Table) Launch(l Load) (core.Nanos, Grade) {
	if l.Windows < 1 || l.Rows < 1 {
		return 0, Measured
	}
	var ms float64
	var how Grade
	switch {
	case t.Windows != nil:
		ms, how = t.Windows.launch(l)
	case t.Rows != nil:
		ms, how = t.Rows.launch(l)
	default:
		return 0, Extrapolated
	}
	grade := max(how, t.LaunchGrade())
	if context := t.context(l.Context, l.Longest, l.Windows); context > 0 && t.ContextMsPer1K > 0 {
		ms += float64(context / 1000 * t.ContextMsPer1K)
		grade = max(grade, t.Provenance.Context.Grade)
	}
	if l.Sampled > 0 && t.Sampling != nil {
		ms += float64(float64(l.Sampled) * t.Sampling.RowMs)
		grade = max(grade, t.Provenance.Sampling.Grade)
	}
	if l.Rows > t.Limits.Rows || l.Windows > t.Limits.Windows {
		grade = Extrapolated
	}
	return nanos(ms), grade
}

// context is the tokens that a launch attends over.
func (t *Table) context(total, longest int64, windows int) float64 {
	if t.Caches == StreamCaches {
		return float64(longest * int64(windows))
	}
	return float64(total)
}

// Round is the price of a round: its launches one after another, and what each
// launch after the first adds. Its grade is the worst of them.
func (t *Table) Round(launches []Load) (core.Nanos, Grade) {
	var sum core.Nanos
	grade := Measured
	for _, l := range launches {
		price, g := t.Launch(l)
		sum += price
		grade = max(grade, g)
	}
	if further := len(launches) - 1; further > 0 && t.Limits.FurtherMs > 0 {
		sum += core.Nanos(further) * nanos(t.Limits.FurtherMs)
		grade = max(grade, t.Provenance.Launch.Grade)
	}
	return sum, grade
}
