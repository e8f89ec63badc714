package tune

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// confidence is how wide an interval is.
type confidence float64

const (
	// sure is that of the intervals reported and of a race's end.
	sure confidence = 0.95
	// strict is that for dropping one candidate of many.
	strict confidence = 0.999
)

// quantiles holds Student's quantile by degrees of freedom, for both
// confidences. Rounded, they are the same on every platform.
var quantiles = map[confidence][]float64{sure: newQuantiles(sure), strict: newQuantiles(strict)}

const mostDegrees = 512

func newQuantiles(c confidence) []float64 {
	out := make([]float64, mostDegrees+1)
	for df := 1; df <= mostDegrees; df++ {
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.Quantile(1 - (1-float64(c))/2)
		out[df] = math.Round(t*1e6) / 1e6
	}
	return out
}

// Estimate is a mean with its interval.
type Estimate struct {
	Mean, Low, High float64
	N               int
}

// estimate is the mean of n values. One value says nothing of the mean: its
// interval has no bounds.
func (c confidence) estimate(n int, value func(i int) float64) Estimate {
	sum := 0.0
	for i := range n {
		sum += value(i)
	}
	mean := sum / float64(n)
	switch {
	case math.IsInf(mean, 0) || math.IsNaN(mean):
		return Estimate{mean, mean, mean, n}
	case n < 2:
		return Estimate{mean, math.Inf(-1), math.Inf(1), n}
	}
	squares := 0.0
	for i := range n {
		d := value(i) - mean
		squares += float64(d * d)
	}
	half := float64(quantiles[c][min(n-1, mostDegrees)] * math.Sqrt(squares/float64(n-1)/float64(n)))
	return Estimate{mean, mean - half, mean + half, n}
}

// Mean is the mean of values with its 95% interval.
func Mean(values []float64) Estimate {
	return sure.estimate(len(values), func(i int) float64 { return values[i] })
}
