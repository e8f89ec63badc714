package scenario

import "github.com/tfsim/tfsim/sim/result"

// The figures that an expect may name are those of the results.
var (
	requestMetrics = result.RequestMetrics()
	totalMetrics   = result.TotalsMetrics()
)

// RequestMetrics lists the figures that an expect with a request may name.
func RequestMetrics() []string { return result.RequestMetrics() }

// TotalMetrics lists the figures that an expect without a request may name.
func TotalMetrics() []string { return result.TotalsMetrics() }
