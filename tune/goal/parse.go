package goal

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// ParseObjective reads "min done_s(reply)".
func ParseObjective(text string) (Objective, error) {
	p, err := newParser(text)
	if err != nil {
		return Objective{}, err
	}
	o, err := p.objective()
	if err == nil && p.now.kind != end {
		err = p.fail("the end")
	}
	return o, err
}

// ParseObjectives reads several, with commas between them.
func ParseObjectives(text string) ([]Objective, error) {
	return listOf(text, (*parser).objective)
}

// ParseConstraint reads "ttft_s(long) <= 1.05 * base".
func ParseConstraint(text string) (Constraint, error) {
	p, err := newParser(text)
	if err != nil {
		return Constraint{}, err
	}
	c, err := p.constraint(true)
	if err == nil && p.now.kind != end {
		err = p.fail("the end")
	}
	return c, err
}

// ParseTargets reads "ttft_s.p95 <= 10, gap_ms.p95 <= 500": constraints that
// know no base.
func ParseTargets(text string) ([]Constraint, error) {
	return listOf(text, func(p *parser) (Constraint, error) { return p.constraint(false) })
}

func listOf[T any](text string, one func(*parser) (T, error)) ([]T, error) {
	p, err := newParser(text)
	if err != nil {
		return nil, err
	}
	var all []T
	for {
		x, err := one(p)
		if err != nil {
			return nil, err
		}
		all = append(all, x)
		if p.now.kind == end {
			return all, nil
		}
		if !p.is(",") {
			return nil, p.fail("a comma or the end")
		}
		if err := p.step(); err != nil {
			return nil, err
		}
	}
}

// parser holds the token that comes next.
type parser struct {
	lex *lexer
	now token
}

func newParser(text string) (*parser, error) {
	p := &parser{lex: newLexer(text)}
	return p, p.step()
}

func (p *parser) step() (err error) {
	p.now, err = p.lex.next()
	return err
}

func (p *parser) is(text string) bool { return p.now.kind == sign && p.now.text == text }

func (p *parser) fail(want string) error { return &Error{p.now.col, p.now.shown(), want} }

func (p *parser) objective() (o Objective, err error) {
	switch {
	case p.now.kind == word && p.now.text == "max":
		o.Max = true
	case p.now.kind == word && p.now.text == "min":
	default:
		return o, p.fail("min or max, then a metric")
	}
	if err := p.step(); err != nil {
		return o, err
	}
	o.Metric, err = p.metric()
	return o, err
}

func (p *parser) constraint(base bool) (c Constraint, err error) {
	if c.Metric, err = p.metric(); err != nil {
		return c, err
	}
	switch {
	case p.is("<="):
	case p.is(">="):
		c.AtLeast = true
	default:
		return c, p.fail("<= or >=")
	}
	if err := p.step(); err != nil {
		return c, err
	}
	return c, p.bound(&c, base)
}

func (p *parser) bound(c *Constraint, base bool) error {
	want := "a number"
	if base {
		want = "a number, base, or a number * base"
	}
	c.Number = 1
	counted := p.now.kind == number
	switch {
	case counted:
		if err := p.number(c); err != nil {
			return err
		}
	case base && p.now.kind == word && p.now.text == "base":
		c.OfBase = true
		if err := p.step(); err != nil {
			return err
		}
	default:
		return p.fail(want)
	}
	if !base || !p.is("*") {
		return nil
	}
	if err := p.step(); err != nil {
		return err
	}
	switch {
	case counted && p.now.kind == word && p.now.text == "base":
		c.OfBase = true
		return p.step()
	case !counted && p.now.kind == number:
		return p.number(c)
	case counted:
		return p.fail("base")
	}
	return p.fail("a number")
}

func (p *parser) number(c *Constraint) error {
	n, err := strconv.ParseFloat(p.now.text, 64)
	if err != nil || math.IsInf(n, 0) {
		return p.fail("a number")
	}
	c.Number = n
	return p.step()
}

func (p *parser) metric() (m Metric, err error) {
	at := p.now
	if at.kind != word {
		return m, p.fail("a metric, such as done_s(reply) or gap_ms.p95")
	}
	m.Name = at.text
	if err := p.step(); err != nil {
		return m, err
	}
	if p.now.kind == word && slices.Contains(parts, p.now.text) {
		m.Name += "." + p.now.text
		if err := p.step(); err != nil {
			return m, err
		}
	}
	if p.is("(") {
		if m.Request, err = p.request(); err != nil {
			return m, err
		}
	}
	if !m.known() {
		return m, &Error{at.col, m.Name, m.accepted()}
	}
	if p.now.kind != word || p.now.text != "in" {
		return m, nil
	}
	if err := p.step(); err != nil {
		return m, err
	}
	if p.now.kind != quoted && p.now.kind != word || p.now.text == "" {
		return m, p.fail("a case's name in quotes")
	}
	m.Case = p.now.text
	return m, p.step()
}

// request reads what is between the parentheses: a quoted name, or anything
// without a closing parenthesis.
func (p *parser) request() (string, error) {
	p.lex.space()
	name := ""
	if at := p.lex.at; at < len(p.lex.text) && strings.ContainsRune(`'"`, p.lex.text[at]) {
		t, err := p.lex.next()
		if err != nil {
			return "", err
		}
		name = t.text
	} else {
		name = p.lex.until(')')
	}
	if err := p.step(); err != nil {
		return "", err
	}
	if name == "" {
		return "", p.fail("a request's name")
	}
	if !p.is(")") {
		return "", p.fail("a closing )")
	}
	return name, p.step()
}
