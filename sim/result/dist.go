package result

import (
	"slices"

	"github.com/tfsim/tfsim/core"
)

// denseLimit is the first span, in microseconds, that is counted as rare:
// about a second.
const denseLimit = 1 << 20

// fewLimit is the number of spans up to which they are kept as they are: a
// short run then neither clears nor walks a table of counts.
const fewLimit = 1 << 12

// dist is a distribution of spans kept as exact counts, so that its memory is
// bounded by the number of different spans, not by the number of spans.
type dist struct {
	n     int64
	few   []core.Micros // the spans themselves, while they are few
	dense []uint32
	large rare
}

// add counts one span; a negative one counts as 0.
func (d *dist) add(v core.Micros) {
	d.n++
	if uint64(v) < uint64(len(d.dense)) {
		d.dense[v]++
		return
	}
	if d.n <= fewLimit {
		d.few = append(d.few, max(v, 0))
		return
	}
	for _, early := range d.few {
		d.addRare(early)
	}
	d.few = nil
	d.addRare(v)
}

func (d *dist) addRare(v core.Micros) {
	v = max(v, 0)
	if v >= denseLimit {
		d.large.add(v)
		return
	}
	if int(v) >= len(d.dense) {
		size := max(1024, len(d.dense))
		for size <= int(v) {
			size *= 2
		}
		d.dense = append(make([]uint32, 0, size), d.dense...)[:size]
	}
	d.dense[v]++
}

// percentiles fills out with the percentiles ps, which must not decrease.
// There must be a value.
func (d *dist) percentiles(ps []int, out []fine) {
	if d.n <= fewLimit {
		slices.Sort(d.few)
		for i, p := range ps {
			out[i] = percentile(d.few, p)
		}
		return
	}
	d.large.settle()
	w := walk{dist: d}
	for i, p := range ps {
		low, hundredths := place(p, d.n)
		a := w.at(low)
		// The neighbour is looked up on a copy: the next percentile may need
		// the same place again.
		next := w
		b := a
		if hundredths > 0 {
			b = next.at(low + 1)
		}
		out[i] = between(a, b, hundredths)
	}
}

// walk goes through the values in order, once.
type walk struct {
	*dist
	next  int         // the next place: a dense index, then one of large
	seen  int64       // values before next
	value core.Micros // the value at the places up to seen
}

// at is the value at an index, which must not be less than that of the call
// before.
func (w *walk) at(index int64) core.Micros {
	for w.seen <= index {
		if w.next < len(w.dense) {
			w.value = core.Micros(w.next)
			w.seen += int64(w.dense[w.next])
		} else {
			at := w.next - len(w.dense)
			w.value = w.large.values[at]
			w.seen += int64(w.large.counts[at])
		}
		w.next++
	}
	return w.value
}
