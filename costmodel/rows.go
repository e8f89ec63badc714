package costmodel

// Rows prices a launch by adding up: a figure for its distinct rows, one for
// its number of sequences, and one for each duplicate row.
type Rows struct {
	// MS is ms by rows in total, duplicates left out; it starts at 1 row.
	MS Curve `json:"ms"`
	// SequencesMs is what so many sequences add, in ms; it starts at 1. If it
	// is empty, each sequence after the first adds PerSequenceMs.
	SequencesMs   Curve   `json:"sequences_ms,omitempty"`
	PerSequenceMs float64 `json:"per_sequence_ms,omitempty"`
	// DuplicateMs is ms for each row that equals another of the same round
	// and so reads the same experts.
	DuplicateMs float64 `json:"duplicate_ms,omitempty"`
	// MixedRowMs is ms for each row beyond a sequence's first where a launch
	// holds windows of several texts: their rows share fewer experts than
	// those of one text do.
	MixedRowMs float64 `json:"mixed_row_ms,omitempty"`
}

// launch is the ms of a launch, context and sampling left out, and how the
// figures were come by.
func (r *Rows) launch(l Load) (float64, Grade) {
	duplicate := min(max(l.Duplicate, 0), l.Rows-1)
	ms, how := r.MS.at(float64(l.Rows-duplicate), 0)
	ms += float64(float64(duplicate) * r.DuplicateMs)
	if texts := l.Windows - l.Twins; texts > 1 {
		ms += float64(float64(max(l.Rows-duplicate-texts, 0)) * r.MixedRowMs)
	}
	if len(r.SequencesMs) == 0 {
		return ms + float64(float64(l.Windows-1)*r.PerSequenceMs), how
	}
	more, howMore := r.SequencesMs.at(float64(l.Windows), 0)
	return ms + more, max(how, howMore)
}
