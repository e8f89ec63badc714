package sampled

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
)

// Pass is a drafter pass that was timed; Context is as of a Launch.
type Pass struct {
	core.Asked
	Context int
	Ms      float64
}

// leastPart is the least part of a pass that is told to go by its depth: less
// may well be chance.
const leastPart = 0.05

// passes makes the price of a pass: of the usual depth by least squares, what
// others save by its part, and at last what is beyond both where drafts were
// all kept.
func (s *Set) passes(t *costmodel.Table) {
	t.Drafter = nil
	if len(s.Passes) == 0 {
		return
	}
	read, unread := s.byRead()
	depth := usualDepth(read)
	p := newPlane(4)
	for _, x := range read {
		if x.Depth == depth {
			p.add(x.Ms, float64(x.Asks-1), float64(x.Context)/1000, float64(x.CatchUps), float64(x.Rounds))
		}
	}
	k := p.solve()
	// What others save, or cost beyond it, as a part of what goes by depth.
	var parts []float64
	for _, x := range read {
		usual := k[0] + float64(k[1]*float64(x.Asks-1)) + float64(k[2]*float64(x.Context)/1000)
		saved := usual + float64(k[3]*float64(x.CatchUps)) + float64(k[4]*float64(x.Rounds)) - x.Ms
		if x.Depth != depth && usual > 0 {
			parts = append(parts, saved/usual*float64(depth)/float64(depth-x.Depth))
		}
	}
	part := min(median(parts), 1)
	if part < leastPart {
		part = 0
	}
	// The figures are of a whole block.
	block := max(t.Drafts.Block, depth)
	deeper := 1 + float64(part*float64(block-depth))/float64(depth)
	d := &costmodel.Drafter{
		Ms: round(max(k[0], 0) * deeper), AskMs: round(max(k[1], 0) * deeper), ContextMsPer1K: round(max(k[2], 0) * deeper),
		IngestMs: round(max(k[3], 0)), IngestRoundMs: round(max(k[4], 0)),
		ByDepth: round(part * float64(block) / float64(depth) / deeper),
	}
	t.Drafter = d
	var beyond []float64
	for _, x := range unread {
		beyond = append(beyond, (x.Ms-passPrice(t, x))/float64(x.Unread))
	}
	if len(beyond) >= enough {
		d.UnreadMs = round(max(median(beyond), 0))
	}
}

// byRead tells passes that follow drafts which were all kept from others; where
// there are only such, they count as the others.
func (s *Set) byRead() (read, unread []Pass) {
	for _, x := range s.Passes {
		if x.Unread > 0 {
			unread = append(unread, x)
		} else {
			read = append(read, x)
		}
	}
	if len(read) == 0 {
		return unread, nil
	}
	return read, unread
}

// usualDepth is the depth, at least 1, of the most passes, of equals the deepest.
func usualDepth(passes []Pass) int {
	often := map[int]int{}
	usual := 1
	for _, x := range passes {
		often[x.Depth]++
		if n, most := often[x.Depth], often[usual]; x.Depth > 0 && (n > most || n == most && x.Depth > usual) {
			usual = x.Depth
		}
	}
	return usual
}

// passPrice is what the table says that a pass takes, in ms.
func passPrice(t *costmodel.Table, x Pass) float64 {
	n, _ := t.Pass(costmodel.Asked{Asked: x.Asked, Context: int64(x.Context), Longest: int64(x.Context / max(x.Asks, 1))})
	return float64(n) / 1e6
}
