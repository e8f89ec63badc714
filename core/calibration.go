package core

// block is the number of draft positions calibrated on their own; further
// positions use the last.
const block = 5

// calibration turns the drafter's confidences into chances, by draft
// position, from what was kept: factor = (kept+2)/(promised+2), both decayed
// by 0.97 a window. It is shared by all requests.
type calibration struct {
	kept, promised [block]float64
}

// chance is the calibrated chance that draft j is kept, given that the ones
// before it were.
func (c *calibration) chance(j int, score float64) float64 {
	j = min(j, block-1)
	factor := (c.kept[j] + 2) / (c.promised[j] + 2)
	factor = min(max(factor, 0.2), 3)
	return min(max(score, 0)*factor, 0.995)
}

// saw learns from a window that verified drafts of the given scores and kept
// kept of them. Positions after the first miss say nothing.
func (c *calibration) saw(scores []float64, kept int) {
	for j := range min(len(scores), kept+1) {
		c.note(j, scores[j], j < kept)
	}
}

func (c *calibration) note(j int, score float64, kept bool) {
	j = min(j, block-1)
	hit := 0.0
	if kept {
		hit = 1
	}
	c.kept[j] = float64(0.97*c.kept[j]) + hit
	c.promised[j] = float64(0.97*c.promised[j]) + score
}
