package core

// worth is what a stream's passes were worth.
type worth struct {
	passes int
	// scores are the blended confidences by position.
	scores [maxDepth]float64
	// tokens and millis are the blended expected tokens of verified drafts
	// and what their rows cost.
	tokens, millis float64
	// surplus is the blended value of having a pass, in tokens: the gain of
	// the best depths over none, their rows' time at the going rate taken off.
	surplus float64
	// stale is the rounds decoded since the last pass.
	stale int
}

// blend takes one pass into the means over the last few.
func (w *worth) blend(scores []float64, tokens, millis float64) {
	w.passes++
	share := 1 / float64(min(w.passes, blended))
	for j, score := range scores {
		w.scores[j] += float64(share * (score - w.scores[j]))
	}
	w.tokens += float64(share * (tokens - w.tokens))
	w.millis += float64(share * (millis - w.millis))
}

// net is what a pass is worth at a rate, before its own price.
func (w *worth) net(lambda float64) float64 { return w.tokens - float64(lambda*w.millis) }
