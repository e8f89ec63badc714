package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// cross checks what spans objects: names that must be unique or known, and
// requests like others.
func (p *parser) cross(f *File) {
	unique(p, "case", f.Cases, func(c Case) (string, Pos) { return c.Name, c.Pos })
	unique(p, "arm", f.Arms, func(a Arm) (string, Pos) { return a.Name, a.Pos })
	unique(p, "world", f.Worlds, func(w World) (string, Pos) { return w.Name, w.Pos })
	for i := range f.Cases {
		c := &f.Cases[i]
		unique(p, "request id", c.Requests, func(r Request) (string, Pos) { return r.ID, r.Pos })
		if p.err == nil {
			p.likes(c)
		}
		p.fits(f, c)
	}
	for i := range f.Expect {
		p.claim(f, &f.Expect[i], p.claims[i])
	}
}

// unique refuses a name that two items of a list have.
func unique[T any](p *parser, what string, items []T, of func(T) (string, Pos)) {
	first := make(map[string]Pos, len(items))
	for _, x := range items {
		name, at := of(x)
		if at0, ok := first[name]; ok {
			p.fail(at, what+" given twice", name, "each has its own; line %d has the other", at0.Line)
			continue
		}
		first[name] = at
	}
}

// likes checks requests that are like others and gives them the other's load
// where they name none.
func (p *parser) likes(c *Case) {
	index := make(map[string]int, len(c.Requests))
	var ids []string
	for i, r := range c.Requests {
		index[r.ID] = i
		ids = append(ids, r.ID)
	}
	// roots are the requests, like no other, that those seen so far lead to.
	roots := make(map[int]int, len(c.Requests))
	for i := range c.Requests {
		r := &c.Requests[i]
		if r.Like == "" {
			continue
		}
		at, path := i, []int(nil)
		for c.Requests[at].Like != "" {
			if known, ok := roots[at]; ok {
				at = known
				break
			}
			path = append(path, at)
			next, ok := index[c.Requests[at].Like]
			if !ok {
				p.fail(c.Requests[at].likePos, "like names no request of the case", c.Requests[at].Like, "%s", some(ids))
				return
			}
			if next == i || len(path) > len(c.Requests) {
				p.fail(r.likePos, "like leads back to its own request", r.Like, "a request that is not like this one")
				return
			}
			at = next
		}
		for _, j := range path {
			roots[j] = at
		}
		root := &c.Requests[at]
		if r.Prompt != root.Prompt {
			p.fail(r.likePos, "like names a request with another prompt length", r.Like, "the same prompt has the same tokens: %d, not %d", root.Prompt, r.Prompt)
		}
		switch {
		case r.Load.Names[0] == "":
			r.Load = root.Load
		case r.Load.Names != root.Load.Names || r.Load.TurnAt != root.Load.TurnAt:
			p.fail(r.Load.At[0], "load differs from the request that this one is like", r.Load.Names[0], "leave load out")
		}
	}
}

// some lists a few of many names.
func some(names []string) string {
	const most = 12
	if len(names) > most {
		return fmt.Sprintf("%s or %d others", joined(names[:most]), len(names)-most)
	}
	return list(names)
}

// fits refuses requests longer than the server's context, unless a setting
// replaces it.
func (p *parser) fits(f *File, c *Case) {
	context := func(s Setting) bool { return s.Name == "context" }
	if f.Server.Context == 0 || slices.ContainsFunc(f.Settings, context) {
		return
	}
	for _, a := range f.Arms {
		if slices.ContainsFunc(a.Flags, context) {
			return
		}
	}
	for _, r := range c.Requests {
		if r.Prompt+r.Output > f.Server.Context {
			p.fail(r.Pos, "request "+r.ID+" exceeds the context", strconv.Itoa(r.Prompt+r.Output),
				"prompt and output of at most %d tokens together", f.Server.Context)
		}
	}
}

// claim checks the names of an expect and fills in those that the file
// leaves no choice of.
func (p *parser) claim(f *File, e *Expect, o *object) {
	cases := namesOf(f.Cases, func(c Case) string { return c.Name })
	arms := namesOf(f.Arms, func(a Arm) string { return a.Name })
	worlds := namesOf(f.Worlds, func(w World) string { return w.Name })
	known := func(key, name string, names []string) bool {
		if slices.Contains(names, name) {
			return true
		}
		if name == "" {
			p.fail(o.at, "an expect without "+key, "none", "%s", some(names))
		} else {
			p.fail(o.pos(key), "unknown "+key, name, "%s", some(names))
		}
		return false
	}
	if e.Case == "" && len(cases) == 1 {
		e.Case = cases[0]
	}
	if e.Arm == "" && len(arms) == 1 {
		e.Arm = arms[0]
	}
	ok := known("case", e.Case, cases)
	known("arm", e.Arm, arms)
	if e.World != "" {
		known("world", e.World, worlds)
	}
	if e.Of != "" && known("of", e.Of, arms) && e.Of == e.Arm {
		p.fail(o.pos("of"), "of names the expect's own arm", e.Of, "another arm")
	}
	metrics := totalMetrics
	if e.Request != "" {
		metrics = requestMetrics
	}
	if !known("metric", e.Metric, metrics) || !ok {
		return
	}
	c := &f.Cases[slices.Index(cases, e.Case)]
	if e.Request != "" {
		p.claimed(c, e, o)
	}
	if e.Metric == "goodput_rps" && c.SLO == nil {
		p.fail(o.pos("metric"), "goodput without targets", c.Name, "the case needs an slo")
	}
}

var (
	openID   = regexp.MustCompile(`^r([1-9][0-9]{0,9})$`)
	closedID = regexp.MustCompile(`^u([1-9][0-9]{0,9})\.[1-9][0-9]{0,9}$`)
)

// claimed checks that a case has the request of an expect.
func (p *parser) claimed(c *Case, e *Expect, o *object) {
	w := c.Workload
	if w == nil {
		ids := namesOf(c.Requests, func(r Request) string { return r.ID })
		if !slices.Contains(ids, e.Request) {
			p.fail(o.pos("request"), "unknown request", e.Request, "%s", some(ids))
		}
		return
	}
	if !w.PerRequest {
		p.fail(o.pos("request"), "a request of a workload that leaves requests out", e.Request, "per_request: true, or no request")
		return
	}
	form, most, accepted := openID, w.Count, "r1, r2 and so on in the order of sending"
	if w.Arrivals.Process == Closed {
		form, most, accepted = closedID, w.Arrivals.Users, "u1.1 for the first request of the first user, u1.2 for its second, and so on"
	}
	m := form.FindStringSubmatch(e.Request)
	if m == nil {
		p.fail(o.pos("request"), "unknown request", e.Request, "%s", accepted)
		return
	}
	if n, _ := strconv.Atoi(m[1]); most > 0 && n > most {
		p.fail(o.pos("request"), "unknown request", e.Request, "%s, up to %d", accepted, most)
	}
}

func namesOf[T any](items []T, name func(T) string) []string {
	out := make([]string, len(items))
	for i, x := range items {
		out[i] = name(x)
	}
	return out
}
