package scenario

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/tfsim/tfsim/core"
)

// mostTokens bounds lengths and counts, far beyond any use.
const mostTokens = 1 << 30

// scalarText is a scalar as its author wrote it, quotes removed; blank for a
// null. It is false for mappings, lists and the like.
func scalarText(n ast.Node) (string, bool) {
	switch x := n.(type) {
	case *ast.StringNode:
		return x.Value, true
	case *ast.LiteralNode:
		return x.Value.Value, true
	case *ast.NullNode:
		return "", true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// quoted says that a scalar is text by its quotes or block form.
func quoted(n ast.Node) bool {
	s, ok := n.(*ast.StringNode)
	return !ok || s.Token.Type != token.StringType
}

// text reads a non-blank text, "" if the key is absent. Numbers count as the
// text they are written as.
func (o *object) text(key string) string {
	if !o.given(key) {
		return ""
	}
	return o.p.text(o.values[key], key)
}

func (p *parser) text(n ast.Node, what string) string {
	at := posOf(n)
	if n = p.resolve(n); n == nil {
		return ""
	}
	s, ok := scalarText(n)
	if !ok || strings.TrimSpace(s) == "" {
		p.fail(at, what+" is not a text", kindOf(n), "a text")
		return ""
	}
	return s
}

// name reads a text of one line that serves as a name.
func (o *object) name(key string) string {
	s := o.text(key)
	if strings.ContainsFunc(s, unprintable) || s != strings.TrimSpace(s) {
		o.p.fail(o.pos(key), key+" is not a name", s, "one line of text without blanks around it")
	}
	return s
}

// unprintable says that a character would do something to a terminal.
func unprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// oneOf reads one of a few words, or gives the first if the key is absent.
func (o *object) oneOf(key string, words ...string) string {
	if !o.given(key) {
		return words[0]
	}
	s := o.text(key)
	if !slices.Contains(words, s) && s != "" {
		o.p.fail(o.pos(key), "unknown "+key, s, "%s", list(words))
	}
	return s
}

// truth reads a boolean, or gives the default if the key is absent.
func (o *object) truth(key string, otherwise bool) bool {
	if !o.given(key) {
		return otherwise
	}
	n := o.p.resolve(o.values[key])
	if b, ok := n.(*ast.BoolNode); ok {
		return b.Value
	}
	if n != nil {
		o.p.fail(o.pos(key), key+" is not a truth value", kindOf(n), "true or false")
	}
	return otherwise
}

var decimal = regexp.MustCompile(`^[+-]?(0|[1-9][0-9_]*)$`)

// whole reads an integer within [low, high], or gives the default if the key
// is absent.
func (o *object) whole(key string, low, high, otherwise int64) int64 {
	if !o.given(key) {
		return otherwise
	}
	n := o.p.resolve(o.values[key])
	if n == nil {
		return otherwise
	}
	s, ok := scalarText(n)
	if ok && decimal.MatchString(s) && (n.Type() == ast.IntegerType || !quoted(n)) {
		v, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 64)
		if err == nil && v >= low && v <= high {
			return v
		}
		o.p.fail(o.pos(key), key+" is out of range", s, "a whole number from %d to %d", low, high)
		return otherwise
	}
	o.p.fail(o.pos(key), key+" is not a whole number", kindOf(n), "a whole number from %d to %d", low, high)
	return otherwise
}

// length reads a number of tokens, lanes or requests, at least 1; 0 if the
// key is absent.
func (o *object) length(key string) int { return int(o.whole(key, 1, mostTokens, 0)) }

// span is an interval of numbers; open excludes its low end.
type span struct {
	low, high float64
	open      bool
}

func (s span) holds(v float64) bool {
	return v <= s.high && (v > s.low || v == s.low && !s.open)
}

func (s span) String() string {
	if math.IsInf(s.low, 0) {
		return "a finite number"
	}
	if s.open {
		return fmt.Sprintf("a number over %g and at most %g", s.low, s.high)
	}
	return fmt.Sprintf("a number from %g to %g", s.low, s.high)
}

// finite is any number but infinity and NaN.
var finite = span{math.Inf(-1), math.MaxFloat64, true}

// number reads a number within s, or gives the default if the key is absent.
func (o *object) number(key string, s span, otherwise float64) float64 {
	if !o.given(key) {
		return otherwise
	}
	return o.p.number(o.values[key], key, s, otherwise)
}

func (p *parser) number(n ast.Node, what string, s span, otherwise float64) float64 {
	at := posOf(n)
	if n = p.resolve(n); n == nil {
		return otherwise
	}
	text, ok := scalarText(n)
	v, err := 0.0, error(nil)
	switch n.Type() {
	case ast.InfinityType, ast.NanType:
		p.fail(at, what+" is not finite", text, "%s", s)
		return otherwise
	case ast.IntegerType, ast.FloatType:
		v, err = plainFloat(text)
	case ast.StringType:
		// A plain scalar such as 1e3 is a number although the library says
		// text.
		if v, err = plainFloat(text); quoted(n) {
			ok = false
		}
	default:
		ok = false
	}
	if !ok || err != nil {
		p.fail(at, what+" is not a number", kindOf(n), "%s", s)
		return otherwise
	}
	if !s.holds(v) {
		p.fail(at, what+" is out of range", text, "%s", s)
		return otherwise
	}
	return v
}

var decimalFloat = regexp.MustCompile(`^[+-]?[0-9][0-9_]*(\.[0-9]*)?([eE][+-]?[0-9]+)?$|^[+-]?\.[0-9]+([eE][+-]?[0-9]+)?$`)

// plainFloat reads decimal numbers alone: no hexadecimal, no words.
func plainFloat(s string) (float64, error) {
	if !decimalFloat.MatchString(s) {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
}

// duration reads a duration from low up, or gives the default if the key is
// absent. A bare number other than 0 has no unit and is refused.
func (o *object) duration(key string, low, otherwise core.Micros) core.Micros {
	if !o.given(key) {
		return otherwise
	}
	n := o.p.resolve(o.values[key])
	if n == nil {
		return otherwise
	}
	s, ok := scalarText(n)
	refuse := func(what, accepted string) core.Micros {
		o.p.fail(o.pos(key), what, kindOf(n), "%s", accepted)
		return otherwise
	}
	if _, err := plainFloat(s); ok && err == nil && s != "0" {
		return refuse(key+" has no unit", "a duration such as 500ms, 10s or 1h30m")
	}
	d, err := time.ParseDuration(s)
	switch {
	case !ok || err != nil:
		return refuse(key+" is not a duration", "a duration such as 500ms, 10s or 1h30m")
	case d < 0:
		return refuse(key+" is negative", "a duration of 0s or more")
	case d%time.Microsecond != 0:
		return refuse(key+" is finer than a microsecond", "a duration in whole microseconds")
	case core.Micros(d/time.Microsecond) < low:
		return refuse(key+" is too short", "a duration over 0s")
	}
	return core.Micros(d / time.Microsecond)
}
