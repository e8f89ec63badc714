package result

// Status is how a request ended.
type Status string

// The statuses, from best to worst.
const (
	Done       Status = "done"
	Cancelled  Status = "cancelled"
	Unfinished Status = "unfinished"
	Failed     Status = "failed"
)

var statuses = [...]Status{Done, Cancelled, Unfinished, Failed}

// rank is a status's place from best to worst.
func (s Status) rank() int {
	for i, t := range statuses {
		if s == t {
			return i
		}
	}
	return len(statuses)
}

// Run is what one run gave, or several that differ in their seed.
type Run struct {
	// Seeds is the number of runs in it.
	Seeds int `json:"seeds"`
	// Saturated says that the queue grew without bound.
	Saturated bool `json:"saturated"`
	// Requests are in the order they were declared; empty if left out.
	Requests []Request `json:"requests"`
	Totals   Totals    `json:"totals"`
	// CI95 holds the 95% confidence interval of the mean of each total by its
	// name (nested ones dotted: ttft_s.p50); null for one run, and for a
	// total that fewer than two runs have.
	CI95 map[string]*Interval `json:"ci95"`
}

// Interval is a pair of bounds, low and high.
type Interval [2]Num

// Request is what became of one request. Times count from its sending.
type Request struct {
	ID     string `json:"id"`
	Status Status `json:"status"`
	// PromptTokens is the prompt's length, OutputTokens what was delivered,
	// CachedTokens the prompt rows restored from a kept state.
	PromptTokens Count `json:"prompt_tokens"`
	OutputTokens Count `json:"output_tokens"`
	CachedTokens Count `json:"cached_tokens"`
	// Queue is from submission to admission, TTFT to the first token, Done to
	// the last; in seconds.
	Queue Num `json:"queue_s"`
	TTFT  Num `json:"ttft_s"`
	Done  Num `json:"done_s"`
	// Gaps between deliveries, in milliseconds.
	GapP50 Num `json:"gap_p50_ms"`
	GapP95 Num `json:"gap_p95_ms"`
	GapP99 Num `json:"gap_p99_ms"`
	GapMax Num `json:"gap_max_ms"`
	// Rounds that gave it tokens, and drafts verified and kept in them.
	Rounds   Count `json:"rounds"`
	Drafted  Count `json:"drafted"`
	Accepted Count `json:"accepted"`
}

// Totals are the figures of a whole run. The package comment defines them.
type Totals struct {
	Wall        Num       `json:"wall_s"`
	DecodeRate  Num       `json:"decode_tok_s"`
	SteadyRate  Num       `json:"steady_tok_s"`
	PromptRate  Num       `json:"prompt_tok_s"`
	Rounds      Count     `json:"rounds"`
	Passes      Count     `json:"passes"`
	Steps       Count     `json:"steps"`
	Drafted     Count     `json:"drafted"`
	Accepted    Count     `json:"accepted"`
	DeviceBusy  Num       `json:"device_busy"`
	Share       Num       `json:"share"`
	GoodputRate Num       `json:"goodput_rps"`
	TTFT        Quantiles `json:"ttft_s"`
	Gap         Tail      `json:"gap_ms"`
	SlotBusy    Num       `json:"slot_busy"`
	Done        Count     `json:"done"`
	Cancelled   Count     `json:"cancelled"`
	Failed      Count     `json:"failed"`
	Unfinished  Count     `json:"unfinished"`
}

// Quantiles of a distribution.
type Quantiles struct {
	P50 Num `json:"p50"`
	P95 Num `json:"p95"`
	P99 Num `json:"p99"`
}

// Tail is quantiles and the largest value.
type Tail struct {
	P50 Num `json:"p50"`
	P95 Num `json:"p95"`
	P99 Num `json:"p99"`
	Max Num `json:"max"`
}
