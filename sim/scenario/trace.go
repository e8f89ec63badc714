package scenario

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/trace"
)

// Trace is a file of recorded requests and what is played of them.
type Trace struct {
	// Path is the file, already relative to the working directory.
	Path string
	// PathPos is the place of the path.
	PathPos Pos
	// Format is how it is written; "" finds out.
	Format trace.Format
	// Speed is how many times faster than recorded requests come, over 0.
	Speed float64
	// From and To bound the requests that are played, counted from the trace's
	// first; To is excluded, and core.Never for no bound.
	From, To core.Micros
	// Sample is the part of them that is drawn, over 0 and at most 1.
	Sample float64
	// Limit is the most requests, 0 for no limit.
	Limit int
	// BytesPerToken is the ratio by which texts have tokens.
	BytesPerToken float64
}

// WholeTrace plays all of a file as it was recorded.
func WholeTrace(path string) Trace {
	return Trace{Path: path, Speed: 1, To: core.Never, Sample: 1, BytesPerToken: trace.BytesPerToken}
}

// Check says which number of a trace that no file gave is out of range.
func (t *Trace) Check() error {
	for _, n := range []struct {
		name  string
		value float64
		span  span
	}{{"speed", t.Speed, speedSpan}, {"sample", t.Sample, sampleSpan}, {"bytes-per-token", t.BytesPerToken, ratioSpan}} {
		if !n.span.holds(n.value) {
			return fmt.Errorf("%s %g: want %s", n.name, n.value, n.span)
		}
	}
	switch {
	case t.From < 0:
		return errors.New("from is before the trace's first request; want 0s or more")
	case t.To <= t.From:
		return errors.New("to is not after from; both count from the trace's first request")
	case t.Limit < 0:
		return fmt.Errorf("limit %d: want 1 or more, or 0 for all", t.Limit)
	}
	return nil
}

// trace reads a path, or an object with one.
func (p *parser) trace(n ast.Node) *Trace {
	r := p.resolve(n)
	if r == nil {
		return nil
	}
	if _, ok := pairs(r); !ok {
		t := WholeTrace(p.path(p.text(n, "trace")))
		t.PathPos = posOf(n)
		return &t
	}
	o := p.object(n, traceKeys)
	if o == nil {
		return nil
	}
	t := WholeTrace(p.path(o.text("file")))
	t.PathPos = o.pos("file")
	if o.given("format") {
		t.Format = trace.Format(o.oneOf("format", trace.Names()...))
	}
	t.Speed = o.number("speed", speedSpan, t.Speed)
	t.From, t.To = o.duration("from", 0, 0), o.duration("to", 0, core.Never)
	if t.To <= t.From {
		p.fail(o.pos("to"), "to is not after from", kindOf(o.values["to"]), "a later time from the trace's first request")
	}
	t.Sample = o.number("sample", sampleSpan, t.Sample)
	t.Limit = o.length("limit")
	t.BytesPerToken = o.number("bytes_per_token", ratioSpan, t.BytesPerToken)
	return &t
}

// mentions says that a mapping has a key.
func (p *parser) mentions(n ast.Node, key string) bool {
	entries, _ := pairs(p.resolve(n))
	for _, e := range entries {
		if name, _ := scalarText(e.Key); name == key {
			return true
		}
	}
	return false
}
