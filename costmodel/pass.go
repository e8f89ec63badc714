package costmodel

import "github.com/tfsim/tfsim/core"

// Drafter prices a drafter pass.
type Drafter struct {
	// Ms is the ms of a pass with one ask.
	Ms float64 `json:"ms"`
	// AskMs is the ms of each further ask.
	AskMs float64 `json:"ask_ms"`
	// IngestMs is the ms of each catch-up: a slot that decoded plainly since
	// its last pass.
	IngestMs float64 `json:"ingest_ms"`
	// ByDepth is the part of ms and ask_ms that goes by the depth of the
	// deepest ask: 1 for a drafter that makes drafts one after another, 0 for
	// one that makes a block of them at once. Ms and AskMs are of a whole block.
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

// Pass is the price of a drafter pass over asks slots, at least 1, the deepest
// of which wants depth drafts, and of which ingests catch up on rounds that they decoded plainly. Without asks it costs
// nothing. A table without figures of a drafter gives 0, Extrapolated.
func (t *Table) Pass(asks, depth, ingests int) (core.Nanos, Grade) {
	if t.Drafter == nil {
		return 0, Extrapolated
	}
	if asks < 1 {
		return 0, Measured
	}
	d := t.Drafter
	ms := d.Ms + float64(float64(asks-1)*d.AskMs)
	ms = float64(ms * d.part(depth, t.Drafts.Block))
	ms += float64(float64(max(ingests, 0)) * d.IngestMs)
	return nanos(ms), t.Provenance.Pass.Grade
}
