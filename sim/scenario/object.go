package scenario

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// object is a mapping whose keys were checked against a table.
type object struct {
	p      *parser
	table  *keys
	at     Pos
	values map[string]ast.Node
}

// pairs lists a mapping's entries in order; ok is false for other kinds.
func pairs(n ast.Node) (values []*ast.MappingValueNode, ok bool) {
	switch x := n.(type) {
	case *ast.MappingNode:
		return x.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{x}, true
	}
	return nil, false
}

// object reads a mapping. It returns nil after a failure: not a mapping, an
// unknown or repeated key, a missing one.
func (p *parser) object(n ast.Node, table *keys) *object {
	at := posOf(n)
	if n = p.resolve(n); n == nil {
		return nil
	}
	entries, ok := pairs(n)
	if !ok {
		p.fail(at, table.what+" is not a mapping", kindOf(n), "its keys are %s", list(table.names()))
		return nil
	}
	if at == (Pos{}) {
		at = posOf(n)
	}
	o := &object{p: p, table: table, at: at, values: map[string]ast.Node{}}
	if !p.entries(entries, func(name string, at Pos, v ast.Node) bool {
		if !table.has(name) {
			p.fail(at, "unknown key of "+table.what, name, "accepted are %s", list(table.names()))
			return false
		}
		o.values[name] = v
		return true
	}) {
		return nil
	}
	for _, k := range table.list {
		if k.required && !o.given(k.name) {
			p.fail(at, table.what+" lacks a key", k.name, "needed are %s", table.needs())
			return nil
		}
	}
	return o
}

// entries calls do for each entry of a mapping in order, until it says false.
// It refuses keys that are not plain names, and repeated keys.
func (p *parser) entries(entries []*ast.MappingValueNode, do func(name string, at Pos, v ast.Node) bool) bool {
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		at := posOf(e.Key)
		name, ok := scalarText(e.Key)
		if e.Key.IsMergeKey() || !ok || strings.TrimSpace(name) == "" {
			p.fail(at, "not a key", e.Key.GetToken().Value, "a key is a name; merges are not read")
			return false
		}
		if seen[name] {
			p.fail(at, "a key given twice", name, "each key is given once")
			return false
		}
		seen[name] = true
		if !do(name, at, e.Value) {
			return false
		}
	}
	return true
}

// given says whether a key has a value; a blank one reads as absent.
func (o *object) given(key string) bool {
	if !o.table.has(key) {
		panic("scenario: key " + key + " is not in the table of " + o.table.what)
	}
	n, ok := o.values[key]
	if !ok {
		return false
	}
	_, null := n.(*ast.NullNode)
	return !null
}

// pos is the place of a key's value, or of the object if the key is absent.
func (o *object) pos(key string) Pos {
	if !o.given(key) {
		return o.at
	}
	return posOf(o.values[key])
}

// items gives the entries of a list, nil if the key is absent.
func (o *object) items(key, of string) []ast.Node {
	if !o.given(key) {
		return nil
	}
	n := o.p.resolve(o.values[key])
	if n == nil {
		return nil
	}
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		o.p.fail(o.pos(key), key+" is not a list", kindOf(n), "a list of %s", of)
		return nil
	}
	return s.Values
}
