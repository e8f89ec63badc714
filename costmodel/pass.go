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
	// OverlapMs is the part of a pass that is hidden when it is launched
	// early, in ms.
	OverlapMs float64 `json:"overlap_ms"`
}

// Overlap is the part of a pass that is hidden when it is launched early.
func (d *Drafter) Overlap() core.Nanos { return nanos(d.OverlapMs) }

// Pass is the price of a drafter pass over asks slots, at least 1, of which
// ingests catch up on rounds that they decoded plainly. Without asks it costs
// nothing. A table without figures of a drafter gives 0, Extrapolated.
func (t *Table) Pass(asks, ingests int) (core.Nanos, Grade) {
	if t.Drafter == nil {
		return 0, Extrapolated
	}
	if asks < 1 {
		return 0, Measured
	}
	d := t.Drafter
	ms := d.Ms + float64(float64(asks-1)*d.AskMs)
	ms += float64(float64(max(ingests, 0)) * d.IngestMs)
	return nanos(ms), t.Provenance.Pass.Grade
}
