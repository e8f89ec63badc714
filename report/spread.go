package report

import (
	"math/bits"

	"github.com/tfsim/tfsim/core"
)

// spread is a distribution of spans: counts in buckets that are exact below
// 256 µs and within 0.8% above. Its size depends on the largest span alone.
type spread struct {
	n      int64
	counts []uint32
	least  core.Micros
	most   core.Micros
}

func (s *spread) add(v core.Micros) {
	v = max(v, 0)
	i := bucket(v)
	for len(s.counts) <= i {
		s.counts = append(s.counts, 0)
	}
	s.counts[i]++
	if s.n == 0 || v < s.least {
		s.least = v
	}
	s.most = max(s.most, v)
	s.n++
}

// bucket keeps the leading eight bits of a span.
func bucket(v core.Micros) int {
	if v < 256 {
		return int(v)
	}
	shift := bits.Len64(uint64(v)) - 8
	return 256 + (shift-1)*128 + int(v>>shift) - 128
}

// floor is the least span of a bucket.
func floor(i int) core.Micros {
	if i < 256 {
		return core.Micros(i)
	}
	shift := (i-256)/128 + 1
	return core.Micros((i-256)%128+128) << shift
}

// point of a distribution: upTo spans are at most value.
type point struct {
	value core.Micros
	upTo  int64
}

// points are the distribution's steps, in order.
func (s *spread) points() []point {
	var out []point
	var sum int64
	for i, c := range s.counts {
		if c == 0 {
			continue
		}
		sum += int64(c)
		out = append(out, point{min(max(floor(i), s.least), s.most), sum})
	}
	if n := len(out); n > 0 {
		out[n-1].value = s.most
	}
	return out
}

// percentile is the value that p of a hundred spans do not exceed.
func (s *spread) percentile(p int64) core.Micros {
	for _, pt := range s.points() {
		if pt.upTo*100 >= p*s.n {
			return pt.value
		}
	}
	return s.most
}
