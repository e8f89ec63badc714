package state

import "github.com/tfsim/tfsim/core"

// Phase is where a request is on its way.
type Phase uint8

// The phases.
const (
	Queued Phase = iota
	Filling
	Decoding
	Done
	Cancelled
	Failed
)

var phaseNames = [...]string{"queued", "fills", "replies", "done", "cancelled", "failed"}

func (p Phase) String() string { return phaseNames[p] }

// recent is the number of deliveries that a request's speed is taken from.
const recent = 16

// Request is one request, in flight or over.
type Request struct {
	ID    core.ID
	Name  string
	Phase Phase
	Slot  int // -1 without one
	// Prompt and Output are what was submitted; 0 if that was missed.
	Prompt, Output int
	// Filled are the prompt rows that are in, of Need; Need is over Prompt
	// while a lost request fills again.
	Filled, Need int
	// Emitted are the tokens delivered.
	Emitted int

	Submitted, Admitted, First, Last, Ended core.Micros
	// HasFirst says that a first token was delivered.
	HasFirst bool

	Rounds, Drafts, Kept int64
	Steps                int64
	LastGap, MaxGap      core.Micros
	Losses               int
	Reason               string

	// times and counts of the last deliveries.
	times  [recent]core.Micros
	counts [recent]int
	n      int64
	// place in the queue while queued.
	place int64
}

// TTFT is the time to the first token.
func (r *Request) TTFT() (t core.Micros, ok bool) { return r.First - r.Submitted, r.HasFirst }

// Position is the number of tokens in the slot, the pending one included.
func (r *Request) Position() int {
	if r.Phase == Filling || r.Phase == Queued {
		return r.Filled
	}
	return max(r.Prompt, r.Filled-r.Emitted) + r.Emitted
}

// Rate is the tokens per second of the last deliveries.
func (r *Request) Rate() (rate float64, ok bool) {
	if r.n < 2 {
		return 0, false
	}
	have := min(r.n, recent)
	oldest, newest := r.times[(r.n-have)%recent], r.times[(r.n-1)%recent]
	tokens := 0
	for k := r.n - have + 1; k < r.n; k++ {
		tokens += r.counts[k%recent]
	}
	if newest <= oldest {
		return 0, false
	}
	return float64(tokens) / seconds(newest-oldest), true
}

// delivered notes tokens and returns the gap before them, or -1.
func (r *Request) delivered(at core.Micros, tokens int) core.Micros {
	gap := core.Micros(-1)
	if r.n > 0 {
		gap = at - r.Last
		r.LastGap = gap
		r.MaxGap = max(r.MaxGap, gap)
	}
	r.Last = at
	r.times[r.n%recent], r.counts[r.n%recent] = at, tokens
	r.n++
	return gap
}
