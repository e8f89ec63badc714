package sim

import (
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/random"
)

// ahead is how far a text is known beyond the token being chosen: more than
// the deepest window.
const ahead = 32

// Played is recorded draft outcomes, in place of dice. A draft is the j-th, from
// 0, of those asked where a text has so many tokens.
type Played interface {
	// Kept says whether the draft is right, given that those before it are.
	Kept(text uint64, tokens, j int) bool
	// Confidence is the drafter's own score, over 0 and under 1.
	Confidence(text uint64, tokens, j int) float64
	// Chance is how likely drafts like it are right.
	Chance(text uint64, tokens, j int) float64
}

// text is how well the drafter guesses one request's tokens. Everything about
// token t depends on the text's seed and t alone, so neither the order of the
// rounds nor their windows can change what a draft is worth.
type text struct {
	kinds  [2]costmodel.DraftText // before and from turn on
	turn   int
	chance random.Stream // whether token t is guessed
	easy   random.Stream // how easy token t is
	score  random.Stream // the confidence's own error
	played [2]Played     // recorded outcomes in place of dice, or nil
	seed   uint64        // which recorded text
	known  int           // tokens whose easiness is in the ring
	ring   [ahead]eased
}

// eased is what of a token's log odds does not depend on the draft.
type eased struct{ easy, settle float64 }

func newText(kinds [2]costmodel.DraftText, turn int, s random.Stream) text {
	return text{kinds: kinds, turn: turn, chance: s.Sub(0), easy: s.Sub(1), score: s.Sub(2)}
}

func (x *text) kind(token int) *costmodel.DraftText {
	if x.turn > 0 && token >= x.turn {
		return &x.kinds[1]
	}
	return &x.kinds[0]
}

// easiness is the correlated part of token t's log odds, an AR(1) process
// along the text with the load's spread and memory, and the part by which a
// text's start differs.
func (x *text) easiness(token int) eased {
	for ; x.known <= token; x.known++ {
		k := x.kind(x.known)
		e := eased{easy: float64(k.Spread * x.easy.Normal(uint64(x.known)))}
		if x.known > 0 {
			before := x.ring[(x.known-1)%ahead].easy
			e.easy = float64(k.Memory*before) + float64(e.easy*root(1-float64(k.Memory*k.Memory)))
		}
		if k.Settle > 0 {
			e.settle = float64(k.Start * random.Exp(-float64(x.known)/k.Settle))
		}
		x.ring[x.known%ahead] = e
	}
	return x.ring[token%ahead]
}

// odds is the log odds that draft j guesses token t right, given that the
// drafts before it did.
func (x *text) odds(token, j int) float64 {
	k := x.kind(token)
	e := x.easiness(token)
	return k.Logit - float64(k.Deeper*float64(j)) + e.easy + e.settle
}

// recording is what the text's drafts are played from at token t, or nil.
func (x *text) recording(token int) Played {
	if x.turn > 0 && token >= x.turn {
		return x.played[1]
	}
	return x.played[0]
}

// likely is the chance that draft j guesses token t right, given that the
// drafts before it did.
func (x *text) likely(token, j int) float64 {
	if r := x.recording(token); r != nil {
		return r.Chance(x.seed, token-j, j)
	}
	return random.Sigmoid(x.odds(token, j))
}

// guessed says whether draft j for token t is right.
func (x *text) guessed(token, j int) bool {
	if r := x.recording(token); r != nil {
		return r.Kept(x.seed, token-j, j)
	}
	return x.chance.Uniform(uint64(token)) < random.Sigmoid(x.odds(token, j))
}

// confidence is what the drafter says of draft j for token t, with the odds
// raised to an exponent.
func (x *text) confidence(token, j int, exponent float64) float64 {
	if r := x.recording(token); r != nil {
		q := min(max(r.Confidence(x.seed, token-j, j), 1e-6), 1-1e-6)
		return random.Sigmoid(float64(random.Log(q/(1-q)) * exponent))
	}
	k := x.kind(token)
	odds := float64(k.Score.Scale*x.odds(token, j)) + k.Score.Shift
	odds += float64(k.Score.Noise * x.score.Normal(uint64(token*ahead+j)))
	return random.Sigmoid(float64(odds * exponent))
}
