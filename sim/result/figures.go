package result

// figure is one named number of a T: a Num or a Count. The lists of figures
// are the one place that names are bound to fields; lookups, merging and CSV
// go through them.
type figure[T any] struct {
	name  string
	num   func(*T) *Num
	count func(*T) *Count
}

func (f figure[T]) get(t *T) Num {
	if f.count != nil {
		return Some(float64(*f.count(t)))
	}
	return *f.num(t)
}

func (f figure[T]) set(t *T, n Num) {
	if f.count != nil {
		*f.count(t) = Count(n.Value)
		return
	}
	*f.num(t) = n
}

// text prints it as in JSON, but empty where absent.
func (f figure[T]) text(t *T) string {
	if f.count != nil {
		return f.count(t).String()
	}
	return f.num(t).String()
}

var requestFigures = []figure[Request]{
	{name: "prompt_tokens", count: func(r *Request) *Count { return &r.PromptTokens }},
	{name: "output_tokens", count: func(r *Request) *Count { return &r.OutputTokens }},
	{name: "cached_tokens", count: func(r *Request) *Count { return &r.CachedTokens }},
	{name: "queue_s", num: func(r *Request) *Num { return &r.Queue }},
	{name: "ttft_s", num: func(r *Request) *Num { return &r.TTFT }},
	{name: "done_s", num: func(r *Request) *Num { return &r.Done }},
	{name: "gap_p50_ms", num: func(r *Request) *Num { return &r.GapP50 }},
	{name: "gap_p95_ms", num: func(r *Request) *Num { return &r.GapP95 }},
	{name: "gap_p99_ms", num: func(r *Request) *Num { return &r.GapP99 }},
	{name: "gap_max_ms", num: func(r *Request) *Num { return &r.GapMax }},
	{name: "rounds", count: func(r *Request) *Count { return &r.Rounds }},
	{name: "drafted", count: func(r *Request) *Count { return &r.Drafted }},
	{name: "accepted", count: func(r *Request) *Count { return &r.Accepted }},
}

var totalsFigures = []figure[Totals]{
	{name: "wall_s", num: func(t *Totals) *Num { return &t.Wall }},
	{name: "decode_tok_s", num: func(t *Totals) *Num { return &t.DecodeRate }},
	{name: "steady_tok_s", num: func(t *Totals) *Num { return &t.SteadyRate }},
	{name: "prompt_tok_s", num: func(t *Totals) *Num { return &t.PromptRate }},
	{name: "rounds", count: func(t *Totals) *Count { return &t.Rounds }},
	{name: "passes", count: func(t *Totals) *Count { return &t.Passes }},
	{name: "steps", count: func(t *Totals) *Count { return &t.Steps }},
	{name: "drafted", count: func(t *Totals) *Count { return &t.Drafted }},
	{name: "accepted", count: func(t *Totals) *Count { return &t.Accepted }},
	{name: "device_busy", num: func(t *Totals) *Num { return &t.DeviceBusy }},
	{name: "share", num: func(t *Totals) *Num { return &t.Share }},
	{name: "goodput_rps", num: func(t *Totals) *Num { return &t.GoodputRate }},
	{name: "ttft_s.p50", num: func(t *Totals) *Num { return &t.TTFT.P50 }},
	{name: "ttft_s.p95", num: func(t *Totals) *Num { return &t.TTFT.P95 }},
	{name: "ttft_s.p99", num: func(t *Totals) *Num { return &t.TTFT.P99 }},
	{name: "gap_ms.p50", num: func(t *Totals) *Num { return &t.Gap.P50 }},
	{name: "gap_ms.p95", num: func(t *Totals) *Num { return &t.Gap.P95 }},
	{name: "gap_ms.p99", num: func(t *Totals) *Num { return &t.Gap.P99 }},
	{name: "gap_ms.max", num: func(t *Totals) *Num { return &t.Gap.Max }},
	{name: "slot_busy", num: func(t *Totals) *Num { return &t.SlotBusy }},
	{name: "done", count: func(t *Totals) *Count { return &t.Done }},
	{name: "cancelled", count: func(t *Totals) *Count { return &t.Cancelled }},
	{name: "failed", count: func(t *Totals) *Count { return &t.Failed }},
	{name: "unfinished", count: func(t *Totals) *Count { return &t.Unfinished }},
}

func find[T any](list []figure[T], name string) (figure[T], bool) {
	for _, f := range list {
		if f.name == name {
			return f, true
		}
	}
	return figure[T]{}, false
}

func names[T any](list []figure[T]) []string {
	out := make([]string, len(list))
	for i, f := range list {
		out[i] = f.name
	}
	return out
}

// RequestMetrics are the names that a check of one request may use.
func RequestMetrics() []string { return names(requestFigures) }

// TotalsMetrics are the names that a check of the totals may use.
func TotalsMetrics() []string { return names(totalsFigures) }

// Metric looks up a figure of the request by its JSON name. known is false
// for a name that no request has.
func (r *Request) Metric(name string) (value Num, known bool) {
	f, ok := find(requestFigures, name)
	if !ok {
		return Num{}, false
	}
	return f.get(r), true
}

// Metric looks up a figure of the totals by its JSON name, nested ones dotted
// (gap_ms.p95). known is false for a name that totals do not have.
func (t *Totals) Metric(name string) (value Num, known bool) {
	f, ok := find(totalsFigures, name)
	if !ok {
		return Num{}, false
	}
	return f.get(t), true
}
