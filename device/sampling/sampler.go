package sampling

import (
	"math"
	"slices"

	"github.com/tfsim/tfsim/device"
)

// Sampler draws tokens. It keeps scratch space, so that a draw allocates
// nothing in steady state; it is not safe for concurrent use.
type Sampler struct {
	kept []candidate
	mass [buckets]float64
}

type candidate struct {
	logit float32
	token int32
}

// order sorts the likelier first, then the lower token.
func order(a, b candidate) int {
	switch {
	case a.logit > b.logit:
		return -1
	case a.logit < b.logit:
		return 1
	default:
		return int(a.token) - int(b.token)
	}
}

// Draw gives the token at a position of a text. Logits that are not numbers
// are never drawn; it is NoToken where none is left.
func (s *Sampler) Draw(logits []float32, p device.Sampling, position int) device.Token {
	best := Likeliest(logits)
	if p.Greedy() || best == device.NoToken || math.IsInf(float64(logits[best]), 0) {
		return best
	}
	top := logits[best]
	r := race{key: key(p.Seed, position), heat: 1 / p.Temperature, token: device.NoToken}
	floor := float32(math.Inf(-1))
	if p.MinP > 0 {
		floor = float32(float64(top) + p.Temperature*math.Log(p.MinP))
	}
	topP := p.TopP > 0 && p.TopP < 1
	topK := p.TopK > 0 && p.TopK < len(logits)
	if !topP && !topK {
		for t, l := range logits {
			if l >= floor {
				r.enter(t, float64(l-top))
			}
		}
		return r.token
	}
	if topK {
		s.likeliest(logits, p.TopK)
	}
	switch {
	case topP && topK:
		s.cut(0, top, p)
	case topP:
		s.nucleus(logits, top, p)
	}
	for _, c := range s.kept {
		if c.logit >= floor {
			r.enter(int(c.token), float64(c.logit-top))
		}
	}
	return r.token
}

// Likeliest is the token of the highest logit, or NoToken.
func Likeliest(logits []float32) device.Token {
	best, token := float32(math.Inf(-1)), device.NoToken
	for t, l := range logits {
		if l > best {
			best, token = l, device.Token(t)
		}
	}
	return token
}

// Confidence is a token's share of the softmax, untempered and unfiltered.
func Confidence(logits []float32, token device.Token) float64 {
	if token < 0 || int(token) >= len(logits) {
		return 0
	}
	chosen := float64(logits[token])
	sum := 0.0
	for _, l := range logits {
		if d := float64(l) - chosen; d > -40 {
			sum += exp(d)
		}
	}
	if share := 1 / sum; share >= 0 && share <= 1 {
		return share
	}
	return 0
}

// likeliest keeps the k likeliest tokens, likeliest first.
func (s *Sampler) likeliest(logits []float32, k int) {
	s.kept = s.kept[:0]
	// A heap whose root is the least likely of the kept.
	for t, l := range logits {
		c := candidate{l, int32(t)}
		switch {
		case !(l > float32(math.Inf(-1))):
		case len(s.kept) < k:
			s.kept = append(s.kept, c)
			s.rise(len(s.kept) - 1)
		case order(c, s.kept[0]) < 0:
			s.kept[0] = c
			s.sink()
		}
	}
	slices.SortFunc(s.kept, order)
}

func (s *Sampler) rise(i int) {
	for i > 0 {
		up := (i - 1) / 2
		if order(s.kept[i], s.kept[up]) <= 0 {
			return
		}
		s.kept[i], s.kept[up] = s.kept[up], s.kept[i]
		i = up
	}
}

func (s *Sampler) sink() {
	for i := 0; ; {
		worst := i
		for _, d := range [...]int{2*i + 1, 2*i + 2} {
			if d < len(s.kept) && order(s.kept[d], s.kept[worst]) > 0 {
				worst = d
			}
		}
		if worst == i {
			return
		}
		s.kept[i], s.kept[worst] = s.kept[worst], s.kept[i]
		i = worst
	}
}
