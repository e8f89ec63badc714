package sim

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/random"
	"github.com/tfsim/tfsim/sim/replay"
)

// Request is one request of a run, as the world knows it.
type Request struct {
	ID             core.ID
	Prompt, Output int
	// Loads are the kinds of its text, before and from TurnAt on; the second
	// is used only when TurnAt is over 0.
	Loads  [2]string
	TurnAt int
	// Temperature over 0 samples.
	Temperature float64
	Background  bool
	NoDraft     bool
	// CancelAt is when its sender gives up, or core.Never.
	CancelAt core.Micros
	// Prefix is the key of a kept state it may start from, 0 for none, and
	// PrefixTokens the tokens that the key stands for.
	Prefix       uint64
	PrefixTokens int
	// Blocks are keys of the prompt's beginning, one for each
	// trace.BlockTokens tokens or part of them; with them the tokens of kept
	// blocks are restored, and Prefix only says that there are some.
	Blocks []uint64
	// Restored is the rows that a state kept earlier gives it, whatever else
	// was kept.
	Restored int
	// Played are the outcomes of its drafts; nil for those of its loads.
	Played Played
	// Text is the seed of its text. Requests with one text are Twins: at
	// temperature 0 they produce the same tokens.
	Text uint64
	Twin bool

	emitted int
}

// text makes the request's text with the machine's outcomes for its load.
func (r *Request) text(t *costmodel.Table, seed uint64) text {
	var kinds [2]costmodel.DraftText
	for i, name := range r.Loads {
		load := t.Drafts.Loads[name]
		kinds[i] = load.Greedy
		if r.Temperature > 0 {
			kinds[i] = load.Sampled
		}
	}
	source := random.New(seed, "text").Sub(r.Text)
	x := newText(kinds, r.TurnAt, source)
	x.seed = uint64(source)
	for i, name := range r.Loads {
		if p := replay.Of(name, r.Temperature > 0); p != nil {
			x.played[i] = p
		}
		if r.Played != nil {
			x.played[i] = r.Played
		}
	}
	return x
}
