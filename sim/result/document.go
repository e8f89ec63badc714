package result

import (
	"encoding/json"
	"io"
)

// Document is the results of one scenario file. Entries are in the order of
// worlds, cases and arms as the file has them.
type Document struct {
	Scenario string         `json:"scenario"`
	Machine  string         `json:"machine"`
	Results  []Entry        `json:"results"`
	Expect   []ExpectResult `json:"expect"`
}

// Entry is one cell: a run of a case, in a world, by an arm.
type Entry struct {
	World string `json:"world"`
	Case  string `json:"case"`
	Arm   string `json:"arm"`
	Run
	// Notes say what a reader should know of the figures: prices that were
	// estimated, settings without effect.
	Notes []string `json:"notes,omitempty"`
}

// ExpectResult is what became of one expectation.
type ExpectResult struct {
	OK bool `json:"ok"`
	// Text tells the expectation and what was measured.
	Text string `json:"text"`
	// Value is the measured figure or ratio.
	Value Num `json:"value"`
	// Skipped expectations were not checked; they are OK.
	Skipped bool `json:"skipped,omitempty"`
}

// WriteJSON prints one document as an object, several as an array, indented
// by two and ended by a new line. The same documents give the same bytes.
func WriteJSON(w io.Writer, docs ...*Document) error {
	full := make([]Document, len(docs))
	for i, d := range docs {
		full[i] = d.filled()
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if len(full) == 1 {
		return enc.Encode(&full[0])
	}
	return enc.Encode(full)
}

// filled is the document with empty lists in place of missing ones.
func (d *Document) filled() Document {
	out := *d
	out.Results = make([]Entry, len(d.Results))
	for i, e := range d.Results {
		if e.Requests == nil {
			e.Requests = []Request{}
		}
		out.Results[i] = e
	}
	if out.Expect == nil {
		out.Expect = []ExpectResult{}
	}
	return out
}
