package state

import (
	"math/bits"

	"github.com/tfsim/tfsim/core"
)

// subBits is how finely a Hist parts each doubling: by 32, so that a quantile
// is within 3% of the exact one.
const subBits = 5

// Hist counts times in buckets that grow with the time. Its size does not
// depend on how many it has counted. The zero value is empty.
type Hist struct {
	n       int64
	max     core.Micros
	buckets []int64
}

// N is how many times were counted.
func (h *Hist) N() int64 { return h.n }

// Max is the largest time, exactly.
func (h *Hist) Max() core.Micros { return h.max }

// Add counts a time; one below 0 counts as 0.
func (h *Hist) Add(t core.Micros) {
	t = max(t, 0)
	i := bucket(uint64(t))
	if i >= len(h.buckets) {
		grown := make([]int64, i+1+1<<subBits)
		copy(grown, h.buckets)
		h.buckets = grown
	}
	h.buckets[i]++
	h.n++
	h.max = max(h.max, t)
}

// Quantile is about the time that a part q of all are at or below; ok is false
// of none.
func (h *Hist) Quantile(q float64) (t core.Micros, ok bool) {
	if h.n == 0 {
		return 0, false
	}
	rank := int64(q * float64(h.n-1))
	for i, n := range h.buckets {
		if rank < n {
			return min(middle(i), h.max), true
		}
		rank -= n
	}
	return h.max, true
}

// bucket is a time's place: small times have one each.
func bucket(t uint64) int {
	shift := bits.Len64(t) - subBits - 1
	if shift <= 0 {
		return int(t)
	}
	return (shift+1)<<subBits + int(t>>shift) - 1<<subBits
}

// middle is the time in the middle of a bucket.
func middle(i int) core.Micros {
	shift := i>>subBits - 1
	if shift <= 0 {
		return core.Micros(i)
	}
	low := uint64(1<<subBits+i&(1<<subBits-1)) << shift
	return core.Micros(low + 1<<shift/2)
}
