package core

// costs corrects the belief by what rounds and passes really took. The belief
// is a prior: a shape that was seen a few times costs what it took, one that
// was not is corrected like its neighbours. A slower factor over all shapes
// follows what changes them alike: heat, other load.
type costs struct {
	all float64
	// first are how far the first rounds were from the belief, rounds how many
	// there were.
	first  [opening]float64
	rounds int
	// strange says that the belief is of another machine altogether.
	strange bool
	// spread is the mean square of how far measurements of known shapes are
	// off: what one measurement is worth depends on it.
	spread float64
	// shapes are by windows, then rows beyond one a window; passes by kind,
	// then asks.
	shapes []factors
	passes [passKinds]factors
	// split is how launches that their windows split are off the sum of their
	// parts.
	split split
	// ingest is what reading a round costs where passes go by depth.
	ingest ingest
}

// passKinds are two for each depth, launched in time and launched early; those
// of depth 0 are of any.
const passKinds = 2 * (maxDepth + 1)

// split is a factor less 1, and how often it was measured.
type split struct {
	off  float64
	seen int32
}

// ingest is the ms of a round beyond what was believed, and how often it was
// measured.
type ingest struct {
	beyond float64
	seen   int32
}

func (s *split) factor() float64 { return 1 + s.off }

// factors are what prices are corrected by, and how often each was measured.
type factors struct {
	factor []float64
	seen   []int32
}

const (
	// opening is how many rounds may set the scale, where they are off by far
	// as a factor: the belief may be of another machine altogether.
	opening = 5
	far     = 2.0
	// settled is how often a shape is seen before it takes part in the factor
	// over all shapes.
	settled = 3
	// outlier bounds one measurement's pull, as a factor; strangeOutlier that
	// of the first ones of a shape, where the belief is of another machine.
	outlier        = 1.3
	strangeOutlier = 8
	// slowest is the least weight of a new measurement of a known shape.
	slowest = 0.015
	// follow is the weight of a measurement in the factor over all shapes.
	follow = 0.15
	// likely is the variance that a shape's factor has before it is seen, and
	// strangeLikely where the belief is of another machine.
	likely        = 0.0004
	strangeLikely = 0.1
	// leastIngest is the least weight of a pass in what reading a round costs.
	leastIngest = 0.1
	// unsettled is the first guess of the spread, and spreadShare the weight
	// of a measurement in it.
	unsettled   = 0.0004
	spreadShare = 0.02
	// reach is how far a measurement corrects shapes that were not seen.
	reach = 12
)

func (c *costs) init() {
	if c.all == 0 {
		c.all, c.spread = 1, unsettled
	}
}

// reachTo makes room for an entry; a new one starts like the last.
func (f *factors) reachTo(i int) {
	for len(f.factor) <= i {
		last := 1.0
		if n := len(f.factor); n > 0 {
			last = f.factor[n-1]
		}
		f.factor = append(f.factor, last)
		f.seen = append(f.seen, 0)
	}
}

// round corrects the price of a shape.
func (c *costs) round(price Nanos, s Shape) float64 {
	base := float64(millis(price) * c.all)
	if s.Windows >= len(c.shapes) {
		return base
	}
	k := &c.shapes[s.Windows]
	extra := s.Rows - s.Windows
	if len(k.factor) == 0 || extra < 0 {
		return base
	}
	return float64(base * k.factor[min(extra, len(k.factor)-1)])
}

// sawRound learns what a shape took.
func (c *costs) sawRound(price Nanos, s Shape, took Micros) {
	if price <= 0 || took <= 0 || s.Rows < s.Windows {
		return
	}
	extra := s.Rows - s.Windows
	if c.rounds < opening && c.rescaled(float64(took)/1000/millis(price)) {
		return
	}
	for len(c.shapes) <= s.Windows {
		c.shapes = append(c.shapes, factors{})
	}
	k := &c.shapes[s.Windows]
	k.reachTo(extra)
	ratio := float64(float64(took)/1000) / c.round(price, s)
	known := k.seen[extra]
	prior, bound := likely, outlier
	if c.strange {
		prior = strangeLikely
		if known == 0 || known < settled && ratio < 1 {
			bound = strangeOutlier
		}
	}
	if known >= settled {
		off := min(max(ratio, 1/outlier), outlier) - 1
		c.spread += float64(spreadShare * (float64(off*off) - c.spread))
		c.all = float64(c.all * pull(ratio, follow, outlier))
		ratio = float64(ratio / pull(ratio, follow, outlier))
	}
	k.seen[extra]++
	// The weight of one more measurement against those before it and the
	// prior, which counts for as many as the noise makes it.
	weight := max(1/(float64(known+1)+c.spread/prior), slowest)
	if c.strange && known > 0 && known < settled && ratio < 1/outlier {
		weight = 1 // a stall makes work longer, never shorter: the first was one
	}
	if known > 0 {
		k.factor[extra] = float64(k.factor[extra] * pull(ratio, weight, bound))
		return
	}
	// A first measurement corrects all near it that is not known either.
	moved := pull(ratio, weight, bound)
	for d := range k.factor {
		if d == extra || k.seen[d] == 0 && distance(d, extra) <= reach {
			k.factor[d] = float64(k.factor[d] * moved)
		}
	}
}

// rescaled takes one of the first rounds: where the middle one of them is far
// from the belief, it is the factor over all shapes. Passes that were measured
// keep what they took.
func (c *costs) rescaled(ratio float64) bool {
	at := c.rounds
	for ; at > 0 && c.first[at-1] > ratio; at-- {
		c.first[at] = c.first[at-1]
	}
	c.first[at] = ratio
	c.rounds++
	middle := c.first[(c.rounds-1)/2]
	was, strange := c.all, middle >= far || middle <= 1/far
	switch {
	case strange:
		c.all = middle
	case c.strange:
		c.all = 1 // the first of them were a cold start
	default:
		return false
	}
	c.strange = strange
	for kind := range c.passes {
		for asks := range c.passes[kind].factor {
			c.passes[kind].factor[asks] *= was / c.all
		}
	}
	return strange
}

// sawSplit learns what a split launch took that was priced so.
func (c *costs) sawSplit(price float64, took Micros) {
	if price <= 0 || took <= 0 {
		return
	}
	c.split.seen++
	by := pull(float64(took)/1000/price, max(1/float64(c.split.seen), slowest), outlier)
	c.split.off = float64((1+c.split.off)*by) - 1
}

// sawIngest learns what each round took that was caught up on; below nothing it
// never goes.
func (c *costs) sawIngest(took, believed float64) {
	c.ingest.seen++
	off := took - believed - c.ingest.beyond
	c.ingest.beyond = max(c.ingest.beyond+float64(max(1/float64(c.ingest.seen), leastIngest)*off), -believed)
}

// fewSeen says that a shape of a strange machine was not measured often enough
// to go by.
func (c *costs) fewSeen(s Shape) bool {
	extra := s.Rows - s.Windows
	return c.strange && (s.Windows >= len(c.shapes) || extra >= len(c.shapes[s.Windows].seen) || c.shapes[s.Windows].seen[extra] < settled)
}

func distance(a, b int) int { return max(a-b, b-a) }

// pull is the factor by which a measurement of ratio moves an estimate.
func pull(ratio, weight, bound float64) float64 {
	ratio = min(max(ratio, 1/bound), bound)
	return 1 + float64(weight*(ratio-1))
}

// pass corrects the price of a pass.
func (c *costs) pass(price Nanos, asks, kind int) float64 {
	base := float64(millis(price) * c.all)
	k := &c.passes[kind]
	if len(k.factor) == 0 {
		k = c.passLike(kind)
	}
	if k == nil {
		return base
	}
	return float64(base * k.factor[min(asks, len(k.factor)-1)])
}

// passLike is the measured kind that is most like one that was not: of the
// nearest depth, launched as it is or else in time; nil if there is none.
func (c *costs) passLike(kind int) *factors {
	for _, from := range [...]int{kind, kind &^ 1} {
		for away := 0; away < passKinds; away += 2 {
			for _, k := range [...]int{from - away, from + away} {
				if k >= 0 && k < passKinds && len(c.passes[k].factor) > 0 {
					return &c.passes[k]
				}
			}
		}
	}
	return nil
}

// sawPass learns what a pass took.
func (c *costs) sawPass(price Nanos, asks, kind int, took Micros) {
	if price <= 0 || took <= 0 {
		return
	}
	k := &c.passes[kind]
	k.reachTo(asks)
	ratio := float64(float64(took)/1000) / c.pass(price, asks, kind)
	known := k.seen[asks]
	k.seen[asks]++
	if known == 0 {
		for n := range k.factor {
			if k.seen[n] == 0 {
				k.factor[n] = float64(k.factor[n] * ratio)
			}
		}
		k.factor[asks] = float64(k.factor[asks] * ratio)
		return
	}
	if kind > 1 && known < settled && ratio < 1/outlier {
		k.factor[asks] = float64(k.factor[asks] * ratio) // the first was a cold start
		return
	}
	k.factor[asks] = float64(k.factor[asks] * pull(ratio, max(1/float64(known+1), slowest), outlier))
}
