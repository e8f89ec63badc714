package scenario

import "github.com/goccy/go-yaml/ast"

func (p *parser) workload(n ast.Node) *Workload {
	w := &Workload{Pos: posOf(n)}
	if p.mentions(n, "trace") {
		p.recorded(w, n)
		return w
	}
	o := p.object(n, workloadKeys)
	if o == nil {
		return w
	}
	w.Arrivals = p.arrivals(o.values["arrivals"])
	w.Count, w.Duration = o.length("count"), o.duration("duration", 1, 0)
	switch counted, timed := o.given("count"), o.given("duration"); {
	case counted && timed:
		p.fail(o.pos("duration"), "both count and duration", "duration", "a workload has one of the two")
	case !counted && !timed:
		p.fail(o.at, "a workload without an end", "none", "count or duration")
	}
	w.Prompt, w.Output = p.lengths(o.values["prompt"]), p.lengths(o.values["output"])
	w.PerRequest = o.truth("per_request", true)
	w.Mix = p.mixes(o)
	return w
}

// recorded reads a workload that plays a trace.
func (p *parser) recorded(w *Workload, n ast.Node) {
	o := p.object(n, recordedKeys)
	if o == nil {
		return
	}
	w.Trace = p.trace(o.values["trace"])
	if o.given("arrivals") {
		w.Arrivals = p.arrivals(o.values["arrivals"])
		if w.Arrivals.Process == Closed {
			p.fail(o.pos("arrivals"), "a closed workload of a trace", Closed, "%s", list([]string{Constant, Poisson, Gamma}))
		}
	}
	w.PerRequest = o.truth("per_request", false)
	w.Mix = p.mixes(o)
}

func (p *parser) mixes(o *object) (all []Mix) {
	for _, n := range o.items("mix", "kinds of request") {
		all = append(all, p.mix(n))
	}
	if o.given("mix") && len(all) == 0 {
		p.fail(o.pos("mix"), "an empty mix", "[]", "one kind of request or more")
	}
	if len(all) == 0 {
		all = []Mix{PlainMix(o.at)}
	}
	return all
}

// PlainMix is the kind of request of a workload that names none.
func PlainMix(at Pos) Mix {
	load := Text{Names: [2]string{defaultLoad}, At: [2]Pos{at}}
	return Mix{Pos: at, Weight: 1, Traits: Traits{Load: load}}
}

func (p *parser) mix(n ast.Node) Mix {
	m := Mix{Pos: posOf(n)}
	if o := p.object(n, mixKeys); o != nil {
		m.Weight = o.number("weight", weightSpan, 0)
		m.Traits = p.traits(o)
	}
	return m
}

// pick reads an object whose keys depend on one of them.
func (p *parser) pick(n ast.Node, v variant) (*object, string) {
	at := posOf(n)
	r := p.resolve(n)
	if r == nil {
		return nil, ""
	}
	entries, ok := pairs(r)
	if !ok {
		p.fail(at, "not a mapping", kindOf(r), "a mapping with %s: %s", v.by, list(v.words))
		return nil, ""
	}
	for _, e := range entries {
		if name, _ := scalarText(e.Key); name != v.by {
			continue
		}
		word := p.text(e.Value, v.by)
		table := v.of[word]
		if table == nil {
			if word != "" {
				p.fail(posOf(e.Value), "unknown "+v.by, word, "%s", list(v.words))
			}
			return nil, ""
		}
		return p.object(n, table), word
	}
	p.fail(at, "a mapping without "+v.by, "none", "%s: %s", v.by, list(v.words))
	return nil, ""
}

func (p *parser) arrivals(n ast.Node) Arrivals {
	a := Arrivals{Pos: posOf(n)}
	o, process := p.pick(n, arrivalKeys)
	if o == nil {
		return a
	}
	a.Process = process
	if process == Closed {
		a.Users = int(o.whole("users", 1, mostUsers, 1))
		a.Think = o.duration("think", 0, 0)
		return a
	}
	a.Rate = o.number("rate", rateSpan, 1)
	if process == Gamma {
		a.CV = o.number("cv", cvSpan, 1)
	}
	return a
}

func (p *parser) lengths(n ast.Node) Lengths {
	l := Lengths{Pos: posOf(n)}
	o, dist := p.pick(n, lengthKeys)
	if o == nil {
		return l
	}
	l.Dist = dist
	switch dist {
	case Fixed:
		l.Value = o.length("value")
	case Uniform:
		l.Min, l.Max = o.length("min"), o.length("max")
		if l.Max < l.Min && l.Max > 0 {
			p.fail(o.pos("max"), "max is less than min", kindOf(o.values["max"]), "at least min, which is %d", l.Min)
		}
	case Lognormal:
		l.Median, l.P95 = o.number("median", lengthSpan, 0), o.number("p95", lengthSpan, 0)
		l.Max = int(o.whole("max", 1, mostTokens, mostTokens))
		if l.P95 < l.Median && l.P95 > 0 {
			p.fail(o.pos("p95"), "p95 is less than median", kindOf(o.values["p95"]), "at least median, which is %g", l.Median)
		}
		if float64(l.Max) < l.Median {
			p.fail(o.pos("max"), "max is less than median", kindOf(o.values["max"]), "at least median, which is %g", l.Median)
		}
	case FromFile:
		l.Path, l.PathPos = p.path(o.text("path")), o.pos("path")
	}
	return l
}
