package validate

import (
	"math"

	"github.com/tfsim/tfsim/costmodel"
)

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

// simulate gives a cell's figure as the mean over seeds.
func (c cell) simulate(t *costmodel.Table, seeds int) (float64, error) {
	sum := 0.0
	for seed := range seeds {
		run, err := c.bench.run(t, uint64(seed+1))
		if err != nil {
			return 0, err
		}
		sum += c.figure(run).Value
	}
	return sum / float64(seeds), nil
}

func (c cell) compare(simulated float64) Cell {
	return Cell{ID: c.id, Published: c.published, Simulated: simulated, Error: math.Abs(simulated-c.published) / c.published, Note: c.note}
}
