package result

import (
	"cmp"
	"math"
	"slices"
)

// Merge makes one run of several that differ only in their seed. Each figure
// is the mean over the runs that have it, CI95 the 95% confidence interval of
// that mean. Requests are matched by id and keep the order of their first
// appearance; a request's status is its worst, and its figures are over the
// runs that have them. The merged run is saturated if any run is. One run is
// returned as it is.
func Merge(runs []Run) Run {
	if len(runs) == 1 {
		return runs[0]
	}
	out := Run{Requests: mergeRequests(runs), CI95: make(map[string]*Interval)}
	totals := make([]*Totals, len(runs))
	for i := range runs {
		totals[i] = &runs[i].Totals
		out.Seeds += runs[i].Seeds
		out.Saturated = out.Saturated || runs[i].Saturated
	}
	for _, f := range totalsFigures {
		s := f.over(totals)
		f.set(&out.Totals, s.mean())
		out.CI95[f.name] = s.interval()
	}
	return out
}

func mergeRequests(runs []Run) []Request {
	byID := make(map[string][]*Request)
	var order []string
	for i := range runs {
		for j := range runs[i].Requests {
			q := &runs[i].Requests[j]
			if byID[q.ID] == nil {
				order = append(order, q.ID)
			}
			byID[q.ID] = append(byID[q.ID], q)
		}
	}
	out := make([]Request, len(order))
	for i, id := range order {
		same := byID[id]
		worst := slices.MaxFunc(same, func(a, b *Request) int { return cmp.Compare(a.Status.rank(), b.Status.rank()) })
		out[i] = Request{ID: id, Status: worst.Status}
		for _, f := range requestFigures {
			f.set(&out[i], f.over(same).mean())
		}
	}
	return out
}

// over is the sample of a figure over several holders.
func (f figure[T]) over(holders []*T) sample {
	var s sample
	for _, h := range holders {
		if v := f.get(h); v.Valid {
			s = append(s, v.Value)
		}
	}
	return s
}

// sample is the values of one figure over runs.
type sample []float64

func (s sample) mean() Num {
	if len(s) == 0 {
		return Num{}
	}
	sum := 0.0
	for _, v := range s {
		sum += v
	}
	return ratio(sum, float64(len(s)))
}

// interval is the 95% confidence interval of the mean, nil under two values.
func (s sample) interval() *Interval {
	n := len(s)
	if n < 2 {
		return nil
	}
	mean := s.mean().Value
	squares := 0.0
	for _, v := range s {
		d := v - mean
		// The conversion keeps platforms from fusing product and sum.
		squares += float64(d * d)
	}
	half := float64(student975(n-1) * math.Sqrt(squares/float64(n-1)/float64(n)))
	return &Interval{Some(mean - half), Some(mean + half)}
}
