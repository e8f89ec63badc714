package scenario

import (
	"strconv"

	"github.com/goccy/go-yaml/ast"

	"github.com/tfsim/tfsim/core"
)

// defaultLoad is the text of a request that names none.
const defaultLoad = "chat"

func (p *parser) oneCase(n ast.Node) Case {
	c := Case{Pos: posOf(n)}
	o := p.object(n, caseKeys)
	if o == nil {
		return c
	}
	c.Name = o.name("name")
	if o.given("heat") {
		h := o.number("heat", heatSpan, 0)
		c.Heat = &h
	}
	switch listed, described := o.given("requests"), o.given("workload"); {
	case listed && described:
		p.fail(o.pos("workload"), "both requests and workload", "workload", "a case has one of the two")
	case listed:
		for _, n := range o.items("requests", "requests") {
			c.Requests = append(c.Requests, p.request(n))
		}
		if len(c.Requests) == 0 {
			p.fail(o.pos("requests"), "no requests", "[]", "one request or more")
		}
	case described:
		c.Workload = p.workload(o.values["workload"])
	default:
		p.fail(c.Pos, "a case without requests", c.Name, "a case has requests or a workload")
	}
	if o.given("slo") {
		c.SLO = p.slo(o.values["slo"])
	}
	return c
}

func (p *parser) request(n ast.Node) Request {
	r := Request{Pos: posOf(n), CancelAt: core.Never}
	o := p.object(n, requestKeys)
	if o == nil {
		return r
	}
	r.ID = o.name("id")
	r.At = o.duration("at", 0, 0)
	r.Prompt, r.Output = o.length("prompt"), o.length("output")
	r.Traits = p.traits(o)
	r.CancelAt = o.duration("cancel_at", 0, core.Never)
	if r.CancelAt <= r.At {
		p.fail(o.pos("cancel_at"), "cancel_at is not after at", kindOf(o.values["cancel_at"]), "a later time from the start of the case")
	}
	if r.Load.TurnAt >= r.Output && r.Load.TurnAt > 0 && r.Output > 0 {
		p.fail(o.pos("turn_at"), "turn_at is not within the reply", kindOf(o.values["turn_at"]), "fewer tokens than output, which is %d", r.Output)
	}
	if r.Prefix != nil && r.Prefix.Tokens > r.Prompt && r.Prompt > 0 {
		p.fail(o.pos("prefix"), "prefix is longer than its prompt", strconv.Itoa(r.Prefix.Tokens), "at most the prompt's tokens, which are %d", r.Prompt)
	}
	r.Like, r.likePos = o.name("like"), o.pos("like")
	if r.Like != "" && !o.given("load") {
		// The request that it is like says; see likes.
		r.Load = Text{}
	}
	return r
}

// traits reads what requests and entries of a mix have in common.
func (p *parser) traits(o *object) Traits {
	t := Traits{
		Load:        p.load(o),
		Temperature: o.number("temperature", temperatureSpan, 0),
		Background:  o.oneOf("priority", "foreground", "background") == "background",
		NoDraft:     !o.truth("draft", true),
	}
	if o.given("prefix") {
		if x := p.object(o.values["prefix"], prefixKeys); x != nil {
			t.Prefix = &Prefix{Key: x.name("key"), Tokens: x.length("tokens")}
		}
	}
	return t
}

func (p *parser) load(o *object) Text {
	at := o.pos("load")
	l := Text{Names: [2]string{defaultLoad}, At: [2]Pos{at}}
	turns := false
	if o.given("load") {
		n := p.resolve(o.values["load"])
		if s, ok := n.(*ast.SequenceNode); ok {
			if len(s.Values) != 2 {
				p.fail(at, "load is not one or two names", kindOf(n), "a name such as chat, or two such as [chat, code]")
				return l
			}
			turns = true
			for i, n := range s.Values {
				l.Names[i], l.At[i] = p.text(n, "load"), posOf(n)
			}
		} else if n != nil {
			l.Names[0] = o.name("load")
		}
	}
	l.TurnAt = o.length("turn_at")
	switch {
	case turns && !o.given("turn_at"):
		p.fail(at, "two loads without turn_at", joined(l.Names[:]), "turn_at says after how many reply tokens the text turns")
	case !turns && o.given("turn_at"):
		p.fail(o.pos("turn_at"), "turn_at without two loads", kindOf(o.values["turn_at"]), "load is two names, such as [chat, code]")
	}
	return l
}

func (p *parser) slo(n ast.Node) *SLO {
	o := p.object(n, sloKeys)
	if o == nil {
		return nil
	}
	if !o.given("ttft_s") && !o.given("gap_p95_ms") {
		p.fail(o.at, "an slo without a target", "none", "ttft_s, gap_p95_ms or both")
	}
	return &SLO{TTFT: o.number("ttft_s", targetSpan, 0), GapP95: o.number("gap_p95_ms", targetSpan, 0)}
}
