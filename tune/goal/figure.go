package goal

import (
	"slices"
	"strings"

	"github.com/tfsim/tfsim/sim/result"
)

// parts are how the figures of many requests become one.
var parts = []string{"mean", "p50", "p95", "p99", "min", "max"}

// fairness is the name of Jain's index.
const fairness = "fairness"

// together splits a name such as done_s.mean, of a figure of all requests.
func together(name string) (figure, part string, ok bool) {
	figure, part, ok = strings.Cut(name, ".")
	return figure, part, ok && slices.Contains(parts, part) && slices.Contains(result.RequestMetrics(), figure)
}

func (m Metric) known() bool {
	if m.Request != "" {
		return slices.Contains(result.RequestMetrics(), m.Name)
	}
	_, _, all := together(m.Name)
	return all || m.Name == fairness || slices.Contains(result.TotalsMetrics(), m.Name)
}

// accepted lists the names that the metric may have.
func (m Metric) accepted() string {
	if m.Request != "" {
		return "a request's figure: " + strings.Join(result.RequestMetrics(), ", ")
	}
	text := "a figure of the run: " + strings.Join(result.TotalsMetrics(), ", ") + ", " + fairness +
		", or a request's with ." + strings.Join(parts, ", .")
	if slices.Contains(result.RequestMetrics(), m.Name) {
		text = m.Name + "(REQUEST), " + m.Name + ".mean or " + m.Name + ".p95; " + text
	}
	return text
}

// PerRequest says that the figure needs the results of single requests.
func (m Metric) PerRequest() bool {
	_, _, all := together(m.Name)
	inTotals := slices.Contains(result.TotalsMetrics(), m.Name)
	return m.Request != "" || m.Name == fairness || all && !inTotals
}

// Of is the metric's figure of a run, absent where the run has none.
func (m Metric) Of(r *result.Run) result.Num {
	if m.Request != "" {
		for i := range r.Requests {
			if r.Requests[i].ID == m.Request {
				v, _ := r.Requests[i].Metric(m.Name)
				return v
			}
		}
		return result.Num{}
	}
	if v, known := r.Totals.Metric(m.Name); known {
		return v
	}
	if m.Name == fairness {
		return jain(r.Requests)
	}
	figure, part, _ := together(m.Name)
	var values []float64
	for i := range r.Requests {
		if v, _ := r.Requests[i].Metric(figure); v.Valid {
			values = append(values, v.Value)
		}
	}
	return of(part, values)
}

// of is one part of values.
func of(part string, values []float64) result.Num {
	if len(values) == 0 {
		return result.Num{}
	}
	slices.Sort(values)
	switch part {
	case "mean":
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		return result.Some(sum / float64(len(values)))
	case "min":
		return result.Some(values[0])
	case "max":
		return result.Some(values[len(values)-1])
	case "p50":
		return result.Some(Quantile(values, 0.50))
	case "p95":
		return result.Some(Quantile(values, 0.95))
	default:
		return result.Some(Quantile(values, 0.99))
	}
}

// Quantile of sorted values, of which there must be one, by linear
// interpolation.
func Quantile(sorted []float64, q float64) float64 {
	at := float64(q * float64(len(sorted)-1))
	low := min(int(at), len(sorted)-1)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + float64((at-float64(low))*(sorted[high]-sorted[low]))
}

// jain is Jain's index of the tokens a second of each finished reply.
func jain(requests []result.Request) result.Num {
	n, sum, squares := 0.0, 0.0, 0.0
	for i := range requests {
		q := &requests[i]
		if q.Status != result.Done || !(q.Done.Value > 0) {
			continue
		}
		x := float64(q.OutputTokens) / q.Done.Value
		n, sum, squares = n+1, sum+x, squares+float64(x*x)
	}
	if squares == 0 {
		return result.Num{}
	}
	return result.Some(float64(sum*sum) / float64(n*squares))
}
