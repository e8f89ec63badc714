package core

// queue holds requests that wait for a lane: foreground before background,
// arrival order inside each class.
type queue struct {
	classes [2]fifo
	waiting int
}

func (q *queue) class(background bool) *fifo {
	if background {
		return &q.classes[1]
	}
	return &q.classes[0]
}

func (q *queue) push(i int32, background bool) {
	q.class(background).push(i)
	q.waiting++
}

// fifo is a ring of stream indices. A cancelled entry keeps its place until
// it comes up or is swept out.
type fifo struct {
	ring    []int32
	head, n int
	dropped int // cancelled entries among the n
}

func (f *fifo) push(i int32) {
	if f.n == len(f.ring) {
		grown := make([]int32, max(16, 2*f.n))
		for k := range f.n {
			grown[k] = f.ring[(f.head+k)%len(f.ring)]
		}
		f.ring, f.head = grown, 0
	}
	f.ring[(f.head+f.n)%len(f.ring)] = i
	f.n++
}

func (f *fifo) pop() (int32, bool) {
	if f.n == 0 {
		return 0, false
	}
	i := f.ring[f.head]
	f.head = (f.head + 1) % len(f.ring)
	f.n--
	return i, true
}

// nextWaiting takes the next waiting request, recycling cancelled entries.
func (s *Scheduler) nextWaiting() (int32, bool) {
	for c := range s.queue.classes {
		f := &s.queue.classes[c]
		for {
			i, ok := f.pop()
			if !ok {
				break
			}
			if s.streams[i].phase == ended {
				f.dropped--
				s.free = append(s.free, i)
				continue
			}
			s.queue.waiting--
			return i, true
		}
	}
	return 0, false
}

// dropWaiting counts a cancelled entry out. Cancelled entries that outnumber
// the others are swept out, so that a queue behind busy lanes stays small.
func (s *Scheduler) dropWaiting(background bool) {
	s.queue.waiting--
	f := s.queue.class(background)
	f.dropped++
	if 2*f.dropped <= f.n {
		return
	}
	for range f.n {
		i, _ := f.pop()
		if s.streams[i].phase == ended {
			s.free = append(s.free, i)
		} else {
			f.push(i)
		}
	}
	f.dropped = 0
}
