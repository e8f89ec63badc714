package trace

import "github.com/tfsim/tfsim/core"

// BlockTokens is how many prompt tokens a block stands for.
const BlockTokens = 512

// Request is one request of a trace.
type Request struct {
	// At is when it came, from an origin of the file's own; 0 in a format
	// without times.
	At core.Micros
	// Prompt and Output are lengths in tokens, at least 1.
	Prompt, Output int
	// Blocks name the prompt's beginning, one for each BlockTokens tokens or
	// part of them: prompts with equal first n blocks have those tokens in
	// common. It is nil if the trace does not say.
	Blocks []uint64
	// Background and NoDraft are as the request was sent.
	Background, NoDraft bool
	// CancelAt is when its sender gave up, or core.Never.
	CancelAt core.Micros
}

// mostTokens bounds a length, as in a scenario.
const mostTokens = 1 << 30
