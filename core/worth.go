package core

// worth is what a stream's passes were worth.
type worth struct {
	passes int
	// scores are the blended confidences by position.
	scores [maxDepth]float64
	// tokens and millis are the blended expected tokens of verified drafts
	// and what their rows cost.
	tokens, millis float64
	// surplus is the mean value of having a pass, in tokens: the gain of
	// the best depths over none, their rows' time at the going rate taken off.
	surplus mean
	// gain is the mean tokens of those drafts, before rows are paid.
	gain float64
	// gains are the mean chain gains of drafts by position: the chance that a
	// draft and all before it are kept.
	gains [maxDepth]float64
	// known is how many positions gains are known of, depth how deep the asks
	// were that surplus is of.
	known, depth int
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

// foresee takes one pass's chain gains into the means; the count is as surplus
// has it. A pass that drafted less deep says nothing of deeper drafts.
func (w *worth) foresee(gains []float64) {
	w.known = maxDepth
	share := 1 / max(w.surplus.count, 1)
	for j, g := range gains {
		w.gains[j] += float64(share * (g - w.gains[j]))
	}
}

// foreseeDeep does so where passes are as deep as pays: deeper drafts are as
// likely after those before them as they were.
func (w *worth) foreseeDeep(gains []float64) {
	share := max(1/float64(w.passes), 1/max(w.surplus.count, 1), deepShare)
	last := len(gains) - 1
	was := w.gains[last]
	for j, g := range gains {
		switch {
		case j < w.known:
			w.gains[j] += float64(share * (g - w.gains[j]))
		case j == 0 || gains[j-1] <= 0:
			w.gains[j] = g
		default:
			w.gains[j] = float64(w.gains[j-1]*g) / gains[j-1]
		}
	}
	for j := len(gains); j < w.known && was > 0; j++ {
		w.gains[j] *= w.gains[last] / was
	}
	w.known = max(w.known, len(gains))
}

// foreseen is the mean chain gain of a draft: beyond those that are known each
// is as likely as the last one that is.
func (w *worth) foreseen(j int) float64 {
	switch {
	case w.known == 0:
		return powerOf(guess, j+1)
	case j < w.known:
		return w.gains[j]
	}
	last, likely := w.gains[w.known-1], w.gains[0]
	if w.known > 1 && w.gains[w.known-2] > 0 {
		likely = min(last/w.gains[w.known-2], 1)
	}
	return float64(last * powerOf(likely, j+1-w.known))
}

// powerOf is x to a whole power.
func powerOf(x float64, n int) float64 {
	y := 1.0
	for range n {
		y = float64(y * x)
	}
	return y
}

// claimed is what a pass is worth beyond its surplus to a stream that claims
// its tokens at so much more, in rounds whose time is so many times as dear.
func (w *worth) claimed(claim, dearer float64) float64 {
	return float64(claim*w.gain) - float64((dearer-1)*(w.gain-w.surplus.value))
}
