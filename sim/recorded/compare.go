package recorded

import (
	"math"
	"slices"

	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/result"
)

// Pair is one figure, measured and simulated.
type Pair struct {
	Measured  result.Num `json:"measured"`
	Simulated result.Num `json:"simulated"`
	// Error is the simulated over the measured, less 1.
	Error result.Num `json:"error"`
}

func pair(measured, simulated result.Num) Pair {
	p := Pair{Measured: measured, Simulated: simulated}
	if measured.Valid && simulated.Valid && measured.Value > 0 {
		p.Error = result.Some(simulated.Value/measured.Value - 1)
	}
	return p
}

// Figures are what is compared.
type Figures struct {
	TTFT   Pair `json:"ttft_s"`
	Done   Pair `json:"done_s"`
	GapP50 Pair `json:"gap_p50_ms"`
	GapMax Pair `json:"gap_max_ms"`
	Rate   Pair `json:"decode_tok_s"`
}

// Request is one request that was done.
type Request struct {
	ID     string       `json:"id"`
	Prompt result.Count `json:"prompt_tokens"`
	Output result.Count `json:"output_tokens"`
	Figures
}

// Work is what a kind of work took in all, measured, and by the costs that the
// simulation had: where the two differ, the machine was not as it was priced.
type Work struct {
	Kind  string     `json:"kind"`
	Times int        `json:"times"`
	Took  result.Num `json:"took_s"`
	Price result.Num `json:"priced_s"`
	Ratio result.Num `json:"ratio"`
}

// Comparison is how far a simulation is from what was measured.
type Comparison struct {
	Requests []Request `json:"requests"`
	// Work is by kind.
	Work []Work `json:"work"`
	// Rate is that of the whole.
	Rate Pair `json:"decode_tok_s"`
	// Medians are of the errors' sizes, by figure.
	Medians struct {
		TTFT   result.Num `json:"ttft"`
		Done   result.Num `json:"done"`
		GapP50 result.Num `json:"gap_p50"`
		GapMax result.Num `json:"gap_max"`
		Rate   result.Num `json:"decode_rate"`
	} `json:"median_errors"`
}

// Compare holds a simulation on a table against what was measured. Requests
// that were not done are left out.
func (r *Recording) Compare(simulated result.Run, t *costmodel.Table) Comparison {
	c := Comparison{Rate: pair(r.Measured.Totals.DecodeRate, simulated.Totals.DecodeRate), Requests: []Request{}, Work: r.work(t)}
	byID := map[string]*result.Request{}
	for i := range simulated.Requests {
		byID[simulated.Requests[i].ID] = &simulated.Requests[i]
	}
	for i := range r.Measured.Requests {
		m := &r.Measured.Requests[i]
		s := byID[m.ID]
		if m.Status != result.Done || s == nil || s.Status != result.Done {
			continue
		}
		c.Requests = append(c.Requests, Request{ID: m.ID, Prompt: m.PromptTokens, Output: m.OutputTokens, Figures: Figures{
			TTFT: pair(m.TTFT, s.TTFT), Done: pair(m.Done, s.Done),
			GapP50: pair(m.GapP50, s.GapP50), GapMax: pair(m.GapMax, s.GapMax), Rate: pair(rate(m), rate(s)),
		}})
	}
	for _, k := range []struct {
		to *result.Num
		of func(*Figures) Pair
	}{
		{&c.Medians.TTFT, func(f *Figures) Pair { return f.TTFT }},
		{&c.Medians.Done, func(f *Figures) Pair { return f.Done }},
		{&c.Medians.GapP50, func(f *Figures) Pair { return f.GapP50 }},
		{&c.Medians.GapMax, func(f *Figures) Pair { return f.GapMax }},
		{&c.Medians.Rate, func(f *Figures) Pair { return f.Rate }},
	} {
		var sizes []float64
		for i := range c.Requests {
			if e := k.of(&c.Requests[i].Figures).Error; e.Valid {
				sizes = append(sizes, math.Abs(e.Value))
			}
		}
		if slices.Sort(sizes); len(sizes) > 0 {
			*k.to = result.Some(sizes[len(sizes)/2])
		}
	}
	return c
}

// work holds what was timed against a table.
func (r *Recording) work(t *costmodel.Table) []Work {
	all := []Work{}
	for _, w := range r.Timed.Against(t) {
		x := Work{Kind: w.Kind, Times: w.Times, Took: result.Some(w.TookMs / 1000), Price: result.Some(w.PricedMs / 1000)}
		if w.PricedMs > 0 {
			x.Ratio = result.Some(w.TookMs / w.PricedMs)
		}
		all = append(all, x)
	}
	return all
}

// rate is a reply's tokens per second after its first.
func rate(r *result.Request) result.Num {
	if !r.TTFT.Valid || !r.Done.Valid || r.Done.Value <= r.TTFT.Value || r.OutputTokens < 2 {
		return result.Num{}
	}
	return result.Some(float64(r.OutputTokens-1) / (r.Done.Value - r.TTFT.Value))
}
