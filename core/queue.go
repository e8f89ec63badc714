package core

// queue holds requests that wait for a lane: foreground before background,
// arrival order inside each class.
type queue struct {
	foreground, background fifo
}

func (q *queue) class(background bool) *fifo {
	if background {
		return &q.background
	}
	return &q.foreground
}

func (q *queue) waiting() int { return q.foreground.n + q.background.n }

// pop takes the next waiting request that is ready.
func (q *queue) pop(ready func(int32) bool) (int32, bool) {
	if i, ok := q.foreground.pop(ready); ok {
		return i, true
	}
	return q.background.pop(ready)
}

// fifo is a ring of stream indices.
type fifo struct {
	ring    []int32
	head, n int
}

// at is the place of entry k in the ring.
func (f *fifo) at(k int) *int32 { return &f.ring[(f.head+k)%len(f.ring)] }

func (f *fifo) push(i int32) {
	if f.n == len(f.ring) {
		grown := make([]int32, max(16, 2*f.n))
		for k := range f.n {
			grown[k] = *f.at(k)
		}
		f.ring, f.head = grown, 0
	}
	f.n++
	*f.at(f.n - 1) = i
}

// pop takes the first entry that is ready.
func (f *fifo) pop(ready func(int32) bool) (int32, bool) {
	for k := range f.n {
		if i := *f.at(k); ready(i) {
			f.cut(k)
			return i, true
		}
	}
	return 0, false
}

// remove takes an entry out.
func (f *fifo) remove(i int32) {
	k := 0
	for *f.at(k) != i {
		k++
	}
	f.cut(k)
}

// cut takes entry k out; the others keep their order.
func (f *fifo) cut(k int) {
	for ; k > 0; k-- {
		*f.at(k) = *f.at(k - 1)
	}
	f.head = (f.head + 1) % len(f.ring)
	f.n--
}
