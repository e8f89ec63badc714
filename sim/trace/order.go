package trace

// order puts requests that are a little out of order in order of their times;
// equal times stay as in the file.
type order struct {
	// waiting are sorted, from head on.
	waiting []Request
	head    int
}

// window is how many requests may overtake one.
const window = 1 << 10

func (o *order) len() int { return len(o.waiting) - o.head }

func (o *order) push(r Request) {
	if o.head > window {
		n := copy(o.waiting, o.waiting[o.head:])
		clear(o.waiting[n:])
		o.waiting, o.head = o.waiting[:n], 0
	}
	o.waiting = append(o.waiting, r)
	for i := len(o.waiting) - 1; i > o.head && o.waiting[i-1].At > r.At; i-- {
		o.waiting[i-1], o.waiting[i] = o.waiting[i], o.waiting[i-1]
	}
}

func (o *order) pop() Request {
	o.head++
	return o.waiting[o.head-1]
}
