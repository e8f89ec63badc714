package scenario

import "github.com/tfsim/tfsim/sim/result"

// The figures that an expect may name are those of the results.
var (
	requestMetrics = result.RequestMetrics()
	totalMetrics   = result.TotalsMetrics()
)
