package core

// The calibrated chance of a draft under the measured rule: by how confident
// the drafter is and how deep the draft, from what was kept of such drafts,
// corrected by how the stream's own drafts fared.

const (
	bins   = 10
	depths = 3 // positions 0, 1 and deeper
	// binPrior is how many drafts the prior of a bin counts for.
	binPrior = 15
	// binDecay forgets a bin's drafts.
	binDecay = 0.995
	// trustPrior and trustDecay are the same of one stream.
	trustPrior = 40
	trustDecay = 0.98
)

// keptBins counts drafts kept by confidence and depth.
type keptBins struct {
	kept, seen [depths][bins]float64
}

func (c *keptBins) cell(j int, score float64) (kept, seen *float64) {
	d := min(j, depths-1)
	b := min(max(int(score*bins), 0), bins-1)
	return &c.kept[d][b], &c.seen[d][b]
}

// of is the chance of draft j, given the prior that the factors by position
// say.
func (c *keptBins) of(j int, score, prior float64) float64 {
	kept, seen := c.cell(j, score)
	return (*kept + float64(binPrior*prior)) / (*seen + binPrior)
}

func (c *keptBins) note(j int, score float64, hit bool) {
	kept, seen := c.cell(j, score)
	*kept = float64(*kept * binDecay)
	*seen = float64(*seen*binDecay) + 1
	if hit {
		*kept++
	}
}

// trust is how a stream's drafts fared against what was expected of them.
type trust struct {
	kept, expected float64
}

func (t *trust) factor() float64 {
	return min(max((t.kept+trustPrior)/(t.expected+trustPrior), 0.5), 1.6)
}

func (t *trust) note(expected float64, hit bool) {
	t.kept = float64(t.kept * trustDecay)
	t.expected = float64(t.expected*trustDecay) + expected
	if hit {
		t.kept++
	}
}
