package costmodel

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// reader reads YAML nodes into plain values. Its errors are one line that
// starts with file:line:col and says what is accepted.
type reader struct{ file string }

// read fills a value from a node. It gets the path of the node's key, as errors
// name it: launch.least.
type read func(at string, n ast.Node) error

// field is one key of a mapping.
type field struct {
	key  string
	need bool
	read read
}

func need(key string, r read) field { return field{key, true, r} }
func may(key string, r read) field  { return field{key, false, r} }

// document parses one YAML document and gives its root.
func (r reader) document(data []byte) (ast.Node, error) {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		var at interface {
			GetToken() *token.Token
			GetMessage() string
		}
		if errors.As(err, &at) {
			return nil, r.errorAt(at.GetToken(), "not YAML: %s; accepted: a table", at.GetMessage())
		}
		return nil, r.errorAt(nil, "not YAML: %v; accepted: a table", err)
	}
	var root ast.Node
	for _, d := range file.Docs {
		switch {
		case d.Body == nil:
		case root != nil:
			return nil, r.errorAt(d.Body.GetToken(), "a second document; accepted: one table in a file")
		default:
			root = d.Body
		}
	}
	if root == nil {
		return nil, r.errorAt(nil, "an empty file; accepted: a table")
	}
	return root, nil
}

// errorAt is an error at a token, or at the file's start without one.
func (r reader) errorAt(t *token.Token, format string, args ...any) error {
	line, column := 1, 1
	if t != nil && t.Position != nil {
		line, column = t.Position.Line, t.Position.Column
	}
	text := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	return fmt.Errorf("%s:%d:%d: %s", r.file, line, column, text)
}

// start is where a node starts in the file.
func start(n ast.Node) *token.Token {
	switch n := n.(type) {
	case nil:
		return nil
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return n.Values[0].Key.GetToken()
		}
	case *ast.MappingValueNode:
		return n.Key.GetToken()
	}
	return n.GetToken()
}

// shown is a node's text for an error, cut short.
func shown(n ast.Node) string {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode:
		return quoted(n.Value)
	case ast.ScalarNode:
		return quoted(n.GetToken().Value)
	}
	return n.Type().String()
}

func quoted(s string) string {
	if runes := []rune(s); len(runes) > 40 {
		s = string(runes[:40]) + "..."
	}
	return strconv.Quote(s)
}

// inner is the path of a key within what is at a path, which is blank for the
// table itself.
func inner(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

// named is what a path is called in an error.
func named(at string) string {
	if at == "" {
		return "the table"
	}
	return at
}

// values gives the entries of a mapping.
func (r reader) values(n ast.Node, at string) ([]*ast.MappingValueNode, error) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, nil
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, nil
	}
	return nil, r.errorAt(start(n), "%s is %s; accepted: a mapping", named(at), shown(n))
}

// object reads a mapping with known keys and gives the token of each key found.
func (r reader) object(n ast.Node, at string, fields ...field) (map[string]*token.Token, error) {
	values, err := r.values(n, at)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*token.Token, len(values))
	for _, v := range values {
		key := v.Key.GetToken()
		i := slices.IndexFunc(fields, func(f field) bool { return f.key == key.Value })
		if i < 0 {
			return nil, r.errorAt(key, "unknown key %s in %s; accepted: %s", quoted(key.Value), named(at), keys(fields))
		}
		if found[key.Value] != nil {
			return nil, r.errorAt(key, "%s is there twice in %s; accepted: once", key.Value, named(at))
		}
		found[key.Value] = key
		if err := fields[i].read(inner(at, key.Value), v.Value); err != nil {
			return nil, err
		}
	}
	for _, f := range fields {
		if f.need && found[f.key] == nil {
			return nil, r.errorAt(start(n), "%s lacks %s; accepted keys: %s", named(at), f.key, keys(fields))
		}
	}
	return found, nil
}

func keys(fields []field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.key
	}
	return strings.Join(names, ", ")
}

// text reads a string without control characters.
func (r reader) text(to *string) read {
	return func(at string, n ast.Node) error {
		switch n := n.(type) {
		case *ast.StringNode:
			*to = n.Value
		case *ast.LiteralNode:
			*to = n.Value.Value
		default:
			return r.errorAt(start(n), "%s is %s; accepted: text", at, shown(n))
		}
		*to = strings.TrimSpace(*to)
		if *to == "" {
			return r.errorAt(start(n), "%s is blank; accepted: text", at)
		}
		if strings.ContainsFunc(*to, func(c rune) bool { return unicode.IsControl(c) && c != '\n' || c == unicode.ReplacementChar }) {
			return r.errorAt(start(n), "%s holds a control character; accepted: printable text", at)
		}
		return nil
	}
}

// largest bounds every number of a table.
const largest = 1e9

// real reads a finite number from low to high.
func (r reader) real(low, high float64, to *float64) read {
	return func(at string, n ast.Node) error {
		v, ok := numeric(n)
		if !ok || math.IsNaN(v) || v < low || v > high {
			return r.errorAt(start(n), "%s is %s; accepted: a number from %g to %g", at, shown(n), low, high)
		}
		*to = v + 0 // a negative zero becomes zero
		return nil
	}
}

// cost reads a number that is not negative.
func (r reader) cost(to *float64) read { return r.real(0, largest, to) }

// whole reads an integer from low to high.
func (r reader) whole(low, high int, to *int) read {
	return func(at string, n ast.Node) error {
		if _, ok := n.(*ast.IntegerNode); ok {
			if v, ok := plain(n.GetToken().Value); ok && v >= low && v <= high {
				*to = v
				return nil
			}
		}
		return r.errorAt(start(n), "%s is %s; accepted: an integer from %d to %d", at, shown(n), low, high)
	}
}

// plain reads an integer written in the one plain way.
func plain(s string) (int, bool) {
	v, err := strconv.Atoi(s)
	return v, err == nil && strconv.Itoa(v) == s
}

// entries reads a mapping whose keys are integers from low, at least one.
func (r reader) entries(n ast.Node, at string, low int, each func(key int, v ast.Node) error) error {
	values, err := r.values(n, at)
	if err != nil {
		return err
	}
	if len(values) == 0 {
		return r.errorAt(start(n), "%s is empty; accepted: at least one entry", at)
	}
	seen := make(map[int]bool, len(values))
	for _, v := range values {
		token := v.Key.GetToken()
		key, ok := plain(token.Value)
		if !ok || key < low || key > largest {
			return r.errorAt(token, "key %s of %s; accepted: an integer from %d to %d", quoted(token.Value), at, low, int(largest))
		}
		if seen[key] {
			return r.errorAt(token, "%d is there twice in %s; accepted: once", key, at)
		}
		seen[key] = true
		if err := each(key, v.Value); err != nil {
			return err
		}
	}
	return nil
}

// entry is the path of an entry, as errors name it: rows.ms at 2.
func entry(at string, key int) string { return fmt.Sprintf("%s at %d", at, key) }

// curve reads entries of ms whose keys start at low, which must be there if
// whole is set.
func (r reader) curve(low int, whole bool, to *Curve) read {
	return func(at string, n ast.Node) error {
		err := r.entries(n, at, low, func(key int, v ast.Node) error {
			p := Point{At: key}
			if err := r.cost(&p.Ms)(entry(at, key), v); err != nil {
				return err
			}
			*to = append(*to, p)
			return nil
		})
		if err != nil {
			return err
		}
		to.sort()
		if whole && (*to)[0].At != low {
			return r.errorAt(start(n), "%s lacks the entry %d; accepted: entries from %d up", at, low, low)
		}
		return nil
	}
}

// grid reads curves by keys from 1. With whole set, it and each of its curves
// must start at 1; otherwise curves start anywhere from low.
func (r reader) grid(low int, whole bool, to *Grid) read {
	return func(at string, n ast.Node) error {
		err := r.entries(n, at, 1, func(key int, v ast.Node) error {
			l := Line{At: key}
			if err := r.curve(low, whole, &l.Ms)(entry(at, key), v); err != nil {
				return err
			}
			*to = append(*to, l)
			return nil
		})
		if err != nil {
			return err
		}
		to.sort()
		if whole && (*to)[0].At != 1 {
			return r.errorAt(start(n), "%s lacks the entry 1; accepted: entries from 1 up", at)
		}
		return nil
	}
}
