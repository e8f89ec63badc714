package costmodel

import "github.com/tfsim/tfsim/core"

// Drafter prices a drafter pass.
type Drafter struct {
	// Ms is the ms of a pass with one ask.
	Ms float64 `json:"ms"`
	// AskMs is the ms of each further ask.
	AskMs float64 `json:"ask_ms"`
	// ContextMsPer1K is the ms for each 1,000 tokens in the caches of the
	// asking sequences, counted as a launch's are.
	ContextMsPer1K float64 `json:"context_ms_per_1k,omitempty"`
	// IngestMs is the ms of each catch-up: a slot that decoded plainly since
	// its last pass.
	IngestMs float64 `json:"ingest_ms"`
	// IngestRoundMs is the ms of each round that is caught up on.
	IngestRoundMs float64 `json:"ingest_round_ms,omitempty"`
	// MostBehind is the most rounds of a slot that are caught up on; 0 bounds
	// them not.
	MostBehind int `json:"most_behind,omitempty"`
	// UnreadMs is the ms of each ask that follows drafts that were all kept:
	// the drafter has yet to read the last of them.
	UnreadMs float64 `json:"unread_ms,omitempty"`
	// ByDepth is the part of all but catching up that goes by the depth of the
	// deepest ask: 1 for a drafter that makes drafts one after another, 0 for
	// one that makes a block of them at once. The others are of a whole block.
	ByDepth float64 `json:"by_depth,omitempty"`
	// OverlapMs is the part of a pass that is hidden when it is launched
	// early, in ms.
	OverlapMs float64 `json:"overlap_ms"`
}

// Overlap is the part of a pass that is hidden when it is launched early.
func (d *Drafter) Overlap() core.Nanos { return nanos(d.OverlapMs) }

// part is what a pass of some depth costs of one over a whole block.
func (d *Drafter) part(depth, block int) float64 {
	if d.ByDepth == 0 || depth >= block {
		return 1
	}
	return 1 - float64(d.ByDepth*float64(block-max(depth, 1)))/float64(block)
}

// Asked is the truth of one pass: what its price depends on.
type Asked struct {
	core.Asked
	// Context and Longest are the tokens in their caches, as of a Load.
	Context, Longest int64
}

// Pass is the price of a drafter pass. Without asks it costs nothing. A table
// without figures of a drafter gives 0, Extrapolated.
func (t *Table) Pass(a Asked) (core.Nanos, Grade) {
	if t.Drafter == nil {
		return 0, Extrapolated
	}
	if a.Asks < 1 {
		return 0, Measured
	}
	d := t.Drafter
	ms := d.Ms + float64(float64(a.Asks-1)*d.AskMs)
	if d.ContextMsPer1K > 0 {
		ms += float64(t.context(a.Context, a.Longest, a.Asks) / 1000 * d.ContextMsPer1K)
	}
	ms = float64(ms * d.part(a.Depth, t.Drafts.Block))
	ms += float64(float64(max(a.CatchUps, 0)) * d.IngestMs)
	ms += float64(float64(max(a.Rounds, 0)) * d.IngestRoundMs)
	ms += float64(float64(max(a.Unread, 0)) * d.UnreadMs)
	return nanos(ms), t.Provenance.Pass.Grade
}
