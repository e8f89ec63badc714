package result

// backlog samples how many requests wait at each arrival. It keeps sums over
// equal runs of arrivals and halves their number when there are too many, so
// its memory is fixed.
type backlog struct {
	sums  [backlogCells]int64
	width int // arrivals in a full cell
	n     int // arrivals so far
}

const (
	backlogCells = 512
	// fewArrivals is the number below which a queue's growth means nothing.
	fewArrivals = 16
)

func (b *backlog) arrive(waiting int) {
	if b.width == 0 {
		b.width = 1
	}
	if b.n == backlogCells*b.width {
		for i := range backlogCells / 2 {
			b.sums[i] = b.sums[2*i] + b.sums[2*i+1]
		}
		clear(b.sums[backlogCells/2:])
		b.width *= 2
	}
	b.sums[b.n/b.width] += int64(waiting)
	b.n++
}

// grew says that the mean number waiting at the arrivals of the last quarter
// is at least lanes and over twice that of the second quarter. A queue that
// grows steadily has 7/3 of it.
func (b *backlog) grew(lanes int) bool {
	if b.n < fewArrivals {
		return false
	}
	early, earlyN := b.sum(b.n/4, b.n/2)
	late, lateN := b.sum(b.n*3/4, b.n)
	return late >= int64(lanes)*lateN && late*earlyN > 2*early*lateN
}

// sum is over the cells that start at an arrival of [from, to).
func (b *backlog) sum(from, to int) (sum, n int64) {
	for i := (from + b.width - 1) / b.width; i*b.width < to; i++ {
		sum += b.sums[i]
		n += int64(min(b.width, b.n-i*b.width))
	}
	return sum, n
}
