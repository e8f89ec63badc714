package core

import "math"

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
	// gain is the blended tokens of those drafts, before rows are paid.
	gain float64
	// gains are the mean chain gains of drafts by position: the chance that a
	// draft and all before it are kept.
	gains [maxDepth]float64
	// variance is of one pass's surplus about that, count how many passes in
	// a row speak for it.
	variance, count float64
	// recent is the mean of the last passes.
	recent float64
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

const (
	// longCount is how many passes a worth remembers.
	longCount = 96
	// recentShare is the weight of a pass in the recent mean, and turned how
	// many of its deviations that is off when a text has turned.
	recentShare = 1.0 / 12
	turned      = 3
	// firstVariance is the variance of a surplus before any was seen, and
	// varianceCount how many passes that counts for.
	firstVariance = 1.0
	varianceCount = 4
	// hope is how many standard errors a pass is given the benefit of.
	hope = 1.0
)

// note takes the surplus of one more pass.
func (w *worth) note(value float64) {
	w.count = min(w.count+1, longCount)
	off := value - w.surplus
	w.surplus += off / w.count
	if w.count <= 1/recentShare {
		w.recent = w.surplus
	}
	w.recent += float64(recentShare * (value - w.recent))
	if away := w.recent - w.surplus; w.count > 2/recentShare &&
		float64(away*away) > float64(turned*turned*w.variance*recentShare/(2-recentShare)) {
		// The text has turned: what was before does not count.
		w.surplus, w.count = w.recent, 1/recentShare
	}
	w.variance += (float64(off*off) - w.variance) / (w.count + varianceCount)
}

// hopeful is what a pass may well be worth: the mean and its standard error.
// Stopping takes evidence, so that a poor start does not end drafting.
func (w *worth) hopeful() float64 {
	variance := max(w.variance, firstVariance/(w.count+1))
	return w.surplus + float64(hope*math.Sqrt(variance/(w.count+1)))
}

// foresee takes one pass's chain gains into the means; count is as note left
// it. A pass that drafted less deep says nothing of deeper drafts.
func (w *worth) foresee(gains []float64) {
	share := 1 / max(w.count, 1)
	for j, g := range gains {
		w.gains[j] += float64(share * (g - w.gains[j]))
	}
}

// claimed is what a pass is worth beyond its surplus to a stream that claims
// its tokens at so much more, in rounds whose time is so many times as dear.
func (w *worth) claimed(claim, dearer float64) float64 {
	return float64(claim*w.gain) - float64((dearer-1)*(w.gain-w.surplus))
}
