package result

import (
	"slices"

	"github.com/tfsim/tfsim/core"
)

// rare counts spans that are mostly different from each other, in twelve bytes
// each.
type rare struct {
	// values are sorted, each once, with their counts; fresh are not among
	// them yet.
	values []core.Micros
	counts []uint32
	fresh  []core.Micros
}

// fewFresh is the least number of spans that are sorted in together.
const fewFresh = 1 << 10

func (r *rare) add(v core.Micros) {
	r.fresh = append(r.fresh, v)
	if len(r.fresh) >= fewFresh+len(r.values)/8 {
		r.settle()
	}
}

// settle sorts the fresh spans in.
func (r *rare) settle() {
	if len(r.fresh) == 0 {
		return
	}
	slices.Sort(r.fresh)
	more := 0
	for i, at := 0, 0; i < len(r.fresh); i++ {
		v := r.fresh[i]
		if i > 0 && v == r.fresh[i-1] {
			continue
		}
		for at < len(r.values) && r.values[at] < v {
			at++
		}
		if at == len(r.values) || r.values[at] != v {
			more++
		}
	}
	old := len(r.values)
	r.values = slices.Grow(r.values, more)[:old+more]
	r.counts = slices.Grow(r.counts, more)[:old+more]
	// From the greatest down, so that nothing is overwritten that is needed.
	to := old + more
	for from, i := old, len(r.fresh); i > 0; {
		v := r.fresh[i-1]
		to--
		if from > 0 && r.values[from-1] >= v {
			from--
			r.values[to], r.counts[to] = r.values[from], r.counts[from]
			v = r.values[to]
		} else {
			r.values[to], r.counts[to] = v, 0
		}
		for i > 0 && r.fresh[i-1] == v {
			r.counts[to]++
			i--
		}
	}
	r.fresh = r.fresh[:0]
}
