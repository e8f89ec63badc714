package costmodel

// Drafts is how the drafts of a machine's drafter fare, by kind of text.
type Drafts struct {
	// Block is the number of drafts that a pass gives for each ask.
	Block int `json:"block"`
	// Loads has an entry for each kind of text: chat, code, others.
	Loads map[string]DraftLoad `json:"loads"`
}

// DraftLoad is how drafts fare on one kind of text.
type DraftLoad struct {
	// Greedy holds at temperature 0, Sampled above it.
	Greedy  DraftText `json:"greedy"`
	Sampled DraftText `json:"sampled"`
}

// DraftText is the chance that drafts are kept along a text. Draft j of a
// token, from 0, given that the earlier ones were kept, is kept with the chance
//
//	sigmoid(Logit - Deeper*j + z + Start*exp(-position/Settle))
//
// where z is a stationary autoregressive noise along the text.
type DraftText struct {
	// Logit is the log odds for the first draft once the text has settled.
	Logit float64 `json:"logit"`
	// Deeper is what each deeper draft takes off the log odds.
	Deeper float64 `json:"deeper"`
	// Spread is the standard deviation of z, and Memory, at least 0 and under
	// 1, its correlation from one token to the next.
	Spread float64 `json:"spread"`
	Memory float64 `json:"memory"`
	// Start is added to the log odds at the text's first token and fades over
	// Settle tokens.
	Start  float64 `json:"start"`
	Settle float64 `json:"settle"`
	// Score is how the drafter's own confidence relates to the chance.
	Score Score `json:"score"`
}

// Score relates a drafter's confidence to the true chance: the log odds of the
// confidence are Scale times the log odds of the chance, plus Shift, plus
// normal noise with the standard deviation Noise.
type Score struct {
	Scale float64 `json:"scale"`
	Shift float64 `json:"shift"`
	Noise float64 `json:"noise"`
}
