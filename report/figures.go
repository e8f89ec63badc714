package report

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
)

// figure is one figure as a table prints it.
type figure struct{ result.Cell }

// Class is the word for a figure that is notably better or worse than the
// first arm's, and its style.
func (f figure) Class() string {
	switch f.Verdict {
	case 1:
		return "better"
	case -1:
		return "worse"
	}
	return ""
}

func microsText(t core.Micros) string { return result.Span(float64(t) / 1e3) }
