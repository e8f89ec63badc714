package validate

import "math"

// Seeds is how many draws of the draft outcomes a figure is averaged over.
const Seeds = 20

// Cell is one published figure beside the simulated one.
type Cell struct {
	ID        string
	Published float64
	Simulated float64
	Error     float64 // |simulated − published| / published
	Note      string
}

func (c cell) compare(simulated float64) Cell {
	return Cell{ID: c.id, Published: c.published, Simulated: simulated, Error: math.Abs(simulated-c.published) / c.published, Note: c.note}
}
