package remote

import "time"

const (
	// batchTime is about how long a worker is busy with a batch: long beside
	// what messages cost, short beside a search.
	batchTime = 200 * time.Millisecond
	// firstBatch is a batch's units as long as nothing is known of their cost,
	// mostBatch those of any.
	firstBatch, mostBatch = 4, 512
	// leastBatches is how many there are at least of many units, for as many
	// workers to have some.
	leastBatches = 16
)

// pace learns what a unit takes, and makes batches of it.
type pace struct {
	took  time.Duration
	units int
}

func (p *pace) saw(took time.Duration, units int) {
	p.took += took
	p.units += units
}

// size is a batch's units where n are to be played.
func (p *pace) size(n int) int {
	size := firstBatch
	if p.units > 0 {
		size = int(batchTime / max(1, p.took/time.Duration(p.units)))
	}
	return max(1, min(size, mostBatch, (n+leastBatches-1)/leastBatches))
}
