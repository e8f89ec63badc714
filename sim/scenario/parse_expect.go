package scenario

import (
	"github.com/goccy/go-yaml/ast"
)

func (p *parser) expect(n ast.Node) Expect {
	e := Expect{Pos: posOf(n)}
	o := p.object(n, expectKeys)
	if o == nil {
		return e
	}
	e.Case, e.Arm = o.name("case"), o.name("arm")
	e.Request, e.World = o.name("request"), o.name("world")
	e.Metric, e.Of = o.name("metric"), o.name("of")
	e.Bound = o.bound()
	p.claims = append(p.claims, o)
	return e
}

// bound reads the one of below, above and within that is given.
func (o *object) bound() (b Bound) {
	var given []string
	for _, key := range []string{"below", "above", "within"} {
		if o.given(key) {
			given = append(given, key)
		}
	}
	if len(given) != 1 {
		o.p.fail(o.at, "not one bound", listed(given, "and"), "exactly one of below, above and within")
		return b
	}
	switch b.Kind = BoundKind(given[0]); b.Kind {
	case Below:
		b.High = o.number("below", finite, 0)
	case Above:
		b.Low = o.number("above", finite, 0)
	case Within:
		ends := o.items("within", "two numbers")
		if len(ends) != 2 {
			o.p.fail(o.pos("within"), "within is not two numbers", kindOf(o.values["within"]), "a list such as [1, 2]")
			return b
		}
		b.Low = o.p.number(ends[0], "within", finite, 0)
		b.High = o.p.number(ends[1], "within", finite, 0)
		if b.High < b.Low {
			o.p.fail(o.pos("within"), "within is the wrong way round", b.String(), "the lower number first")
		}
	}
	return b
}
