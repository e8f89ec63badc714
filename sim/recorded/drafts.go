package recorded

import (
	"github.com/tfsim/tfsim/sim/random"
)

// deepest is the most drafts of an ask that are told apart.
const deepest = 16

// ask is a recorded pass for one request: what the drafter said, and how many
// of its drafts were verified and kept.
type ask struct {
	confidences    []float64
	verified, kept int
}

// rates count, by place, drafts that were verified after those before them were
// kept, and what the drafter said of them.
type rates struct {
	tried, kept, said, asked [deepest]float64
}

func (r *rates) add(d *drafts) {
	for _, x := range d.asks {
		for j, c := range x.confidences {
			j = min(j, deepest-1)
			r.said[j] += c
			r.asked[j]++
		}
		for j := range min(x.verified, x.kept+1, deepest) {
			r.tried[j]++
			if j < x.kept {
				r.kept[j]++
			}
		}
	}
}

// chance is how often drafts in place j were kept; a place without any is like
// the one before it.
func (r *rates) chance(j int) float64 {
	for j = min(j, deepest-1); j > 0 && r.tried[j] == 0; j-- {
	}
	return (r.kept[j] + 0.5) / (r.tried[j] + 1)
}

func (r *rates) confidence(j int) float64 {
	for j = min(j, deepest-1); j > 0 && r.asked[j] == 0; j-- {
	}
	return (r.said[j] + 0.5) / (r.asked[j] + 1)
}

// drafts are the recorded drafts of one request, by the tokens it had.
type drafts struct {
	asks   map[int]ask
	own    rates
	all    *rates
	chance random.Stream
}

func (d *drafts) settle(text uint64, all *rates) {
	d.own.add(d)
	d.all, d.chance = all, random.New(text, "recorded drafts")
}

// Kept says what was recorded, or draws.
func (d *drafts) Kept(_ uint64, tokens, j int) bool {
	if x, ok := d.asks[tokens]; ok {
		switch {
		case j < x.kept:
			return true
		case j < x.verified:
			return false
		}
	}
	return d.chance.Uniform(uint64(tokens+j)) < d.Chance(0, tokens, j)
}

// before is how far back another ask's confidences stand in for one's own.
const before = 8

// Confidence is what was recorded, there or a little before.
func (d *drafts) Confidence(_ uint64, tokens, j int) float64 {
	for back := range before {
		if x, ok := d.asks[tokens-back]; ok && j < len(x.confidences) {
			return inside(x.confidences[j])
		}
	}
	return inside(d.all.confidence(j))
}

func inside(p float64) float64 { return min(max(p, 1e-4), 1-1e-4) }

// Chance is that of the request's drafts in this place; few of them lean on all
// requests'.
func (d *drafts) Chance(_ uint64, _, j int) float64 {
	const lean = 4
	k := min(j, deepest-1)
	return inside((d.own.kept[k] + lean*d.all.chance(k)) / (d.own.tried[k] + lean))
}
