package costmodel

import "github.com/tfsim/tfsim/core"

// Table is what work costs on one machine with one set of weights. Its fields
// mirror the YAML. A table is only read once it is built, so that many may
// price by it at once; nothing is cached behind the fields.
type Table struct {
	// Machine is the table's name in the library.
	Machine string `json:"machine"`
	// Device and Weights are what the figures hold for.
	Device  string `json:"device"`
	Weights string `json:"weights"`
	// About tells a reader what to make of the table.
	About string `json:"about,omitempty"`
	// Provenance says where each section's figures come from.
	Provenance Sections `json:"provenance"`
	// Limits bound one launch (the YAML's `launch`).
	Limits Limits `json:"launch"`
	// Rows or Windows prices a launch; exactly one of them is set.
	Rows    *Rows    `json:"rows,omitempty"`
	Windows *Windows `json:"windows,omitempty"`
	// ContextMsPer1K is the ms that a launch takes longer for each 1,000
	// tokens in the caches of its sequences, in total.
	ContextMsPer1K float64 `json:"context_ms_per_1k,omitempty"`
	// Caches is "streams" where one tensor holds the caches of all slots, as in
	// llama.cpp: every sequence of a launch costs what the longest of them does,
	// and the launch takes one pass over the weights for each run of
	// neighbouring slots and each different number of rows. Empty is neither.
	Caches string `json:"caches,omitempty"`
	// Sampling is the cost of drawing at a temperature, nil for none.
	Sampling *Sampling `json:"sampling,omitempty"`
	// Drafter prices a drafter pass (the YAML's `pass`), nil if unknown.
	Drafter *Drafter `json:"pass,omitempty"`
	// Prompt prices chunks of a prompt (the YAML's `chunk`).
	Prompt *Chunk `json:"chunk,omitempty"`
	// RestoreMs is the ms that restoring a kept prompt state takes, and
	// RestoreMsPer1K what each 1,000 rows of it add.
	RestoreMs      float64 `json:"restore_ms,omitempty"`
	RestoreMsPer1K float64 `json:"restore_ms_per_1k,omitempty"`
	// KeptMiBPer1K is the memory of a kept prompt state, in MiB for each
	// 1,000 tokens.
	KeptMiBPer1K float64 `json:"kept_mib_per_1k,omitempty"`
	// Noise is the spread of what one shape takes: the sigma of a lognormal
	// factor. It is for whoever plays the machine, and in no price.
	Noise float64 `json:"noise,omitempty"`
	// Heat is how the machine slows under load, nil if it does not.
	Heat *Heat `json:"heat,omitempty"`
	// Drafts is how the drafts of the machine's drafter fare.
	Drafts Drafts `json:"drafts"`
}

// StreamCaches are the Caches of llama.cpp.
const StreamCaches = "streams"

// Limits bound one launch.
type Limits struct {
	// Rows and Windows are the most rows and sequences of one launch.
	Rows    int `json:"rows"`
	Windows int `json:"windows"`
	// FurtherMs is what each launch of a round after its first adds, in ms.
	FurtherMs float64 `json:"further_ms,omitempty"`
	// Least is the least rows of a window and Multiple what they are a multiple
	// of: the device pads to them. 0 is 1.
	Least    int `json:"least,omitempty"`
	Multiple int `json:"multiple,omitempty"`
}

// Packing is what a scheduler has to know of how the machine lays out windows.
func (t *Table) Packing() core.Packing {
	streams := t.Caches == StreamCaches
	p := core.Packing{Least: t.Limits.Least, Multiple: t.Limits.Multiple, Equal: streams, Longest: streams}
	if p.Least <= 1 && p.Multiple <= 1 && !p.Equal {
		return core.Packing{}
	}
	return p
}

// Sampling is the cost of drawing a token at a temperature over 0.
type Sampling struct {
	// RowMs is the ms for each row drawn.
	RowMs float64 `json:"row_ms"`
}

// Restore is the price of restoring a kept prompt state of so many rows.
func (t *Table) Restore(rows int) core.Nanos {
	if t.RestoreMsPer1K == 0 {
		return nanos(t.RestoreMs)
	}
	return nanos(t.RestoreMs + float64(float64(rows)/1000*t.RestoreMsPer1K))
}
