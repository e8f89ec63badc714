package tune

// NewAnswer tells what a search in a field found.
func NewAnswer(f *Field, found *Found) *Answer {
	w := &teller{f, found}
	a := &Answer{
		Objective: f.aims.Objectives[0].String(), Robust: f.aims.Robust.String(),
		SubjectTo: []string{}, Settings: w.chosen(found.Winner.Point), Lines: []string{}, Flags: []string{},
		Scenarios: f.scenarios(), Verdict: found.Verdict(), Sensitivity: w.sensitivity(),
		Search: Effort{
			Settings: len(found.Space.Dims), Candidates: found.Candidates, Twins: found.Twins, Whole: found.Whole,
			Runs: found.Runs, Budget: found.Budget, End: found.End, Confirmed: found.Confirmed,
		},
	}
	for _, c := range f.aims.Constraints {
		a.SubjectTo = append(a.SubjectTo, c.String())
	}
	if a.Verdict == Recommended {
		a.Lines, a.Flags = w.lines()
	}
	a.Candidates = w.rows()
	if found.Default != nil && a.Verdict != Infeasible {
		a.Against = append(a.Against, w.against("default", found.Default))
	}
	if found.Second != nil && a.Verdict != Infeasible {
		a.Against = append(a.Against, w.against("second best", found.Second))
	}
	if name, arm := w.bestArm(); arm != nil && a.Verdict != Infeasible {
		a.Against = append(a.Against, w.against("best arm, "+name, arm))
	}
	a.Advice, a.Warnings = w.advice(a), w.warnings(a)
	return a
}
