package tune

import "context"

// Evaluator says what a point is worth. It is used from several goroutines.
type Evaluator interface {
	// Runs is the number of runs that one Play takes.
	Runs() int
	// Same gives equal keys, which are comparable, to points that cannot
	// differ. An error refuses the point.
	Same(Point) (any, error)
	// Play plays a point with a seed. The same point and seed give the same
	// sample.
	Play(ctx context.Context, p Point, seed int) (Sample, error)
}

// Sample is what a point gave with one seed.
type Sample struct {
	// Costs are the objectives as something to make small; an infinite one
	// has no figure.
	Costs []float64
	// Parts are the constraints' parts: one for each case that has the figure.
	Parts []Part
	// Trace is equal for samples that are alike in every figure; 0 says
	// nothing.
	Trace uint64
	// Saturated says that a queue grew without bound.
	Saturated bool
	// Notes say how far to trust it.
	Notes []string
}

// Part is a constraint in one place.
type Part struct {
	// Value is the figure, Bound what bounds it, and Excess by how much it
	// breaks that, above 0.
	Value, Bound, Excess float64
}
