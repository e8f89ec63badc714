package scenario

import "math"

// The ranges of numbers. They refuse what cannot be meant and leave room for
// what is odd.
var (
	cacheSpan       = span{0, 1 << 20, false}
	noiseSpan       = span{0, 2, false}
	factorSpan      = span{0, 1000, true}
	heatSpan        = span{-1, 100, true}
	temperatureSpan = span{0, 100, false}
	weightSpan      = span{0, 1e9, true}
	targetSpan      = span{0, 1e9, true}
	rateSpan        = span{1e-6, 1e6, false}
	cvSpan          = span{0.001, 100, false}
	lengthSpan      = span{1, mostTokens, false}
	speedSpan       = span{0, 1e6, true}
	sampleSpan      = span{0, 1, true}
	ratioSpan       = span{0.1, 1000, false}
)

const (
	maxSeed   = math.MaxInt64
	mostUsers = 1_000_000
)
