// Package sampling draws tokens from logits.
//
// A draw is a race: each token's logit, divided by the temperature, gets a
// noise of its own, and the highest sum wins (the Gumbel-max rule, which draws
// by the softmax). The noise is a hash of (seed, position, token) and of
// nothing else. So a draw is the same whenever and wherever it is made; and
// two models that agree on the logits of a position agree on its token, while
// two that nearly agree nearly always do. That is why drafts drawn with the
// key of the token they guess are kept far more often than independent ones.
//
// Filters come in a fixed order: temperature, top-k, top-p over what top-k
// left, min-p. Ties go to the lower token.
package sampling
