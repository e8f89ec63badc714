package costmodel

import "fmt"

// Grade is how far a figure can be trusted; a larger grade is less trustworthy.
type Grade uint8

// The grades.
const (
	// Measured: read off the machine.
	Measured Grade = iota
	// Fitted: chosen so that a model reproduces measurements of other things.
	Fitted
	// Estimated: reasoned from other machines, or between two entries.
	Estimated
	// Extrapolated: beyond what the table holds. No section may claim it.
	Extrapolated
)

var gradeNames = [...]string{"measured", "fitted", "estimated", "extrapolated"}

// String is the grade's name in lower case.
func (g Grade) String() string {
	if int(g) < len(gradeNames) {
		return gradeNames[g]
	}
	return fmt.Sprintf("grade(%d)", uint8(g))
}

// MarshalText gives the grade's name.
func (g Grade) MarshalText() ([]byte, error) { return []byte(g.String()), nil }
