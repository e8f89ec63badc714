package scenario

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	yamlparser "github.com/goccy/go-yaml/parser"
)

// mostNodes bounds the values that a file may have, aliases expanded.
const mostNodes = 4_000_000

type anchors map[string]ast.Node

// document gives the root node of data's only document.
func (p *parser) document(data []byte) (root ast.Node) {
	if !utf8.Valid(data) {
		p.fail(Pos{1, 1}, "the file is not text", "invalid UTF-8", "a scenario is YAML in UTF-8")
		return nil
	}
	if at, deep := tooDeep(data); deep {
		p.fail(at, "nested too deep", fmt.Sprintf("over %d levels", deepest), "a scenario nests less")
		return nil
	}
	f, err := parseYAML(data)
	if err != nil {
		p.syntax(err)
		return nil
	}
	for _, doc := range f.Docs {
		if doc.Body == nil {
			continue
		}
		if root != nil {
			p.fail(posOf(doc.Body), "a second document", "---", "a file holds one scenario")
			return nil
		}
		root = doc.Body
	}
	if root == nil {
		p.fail(Pos{1, 1}, "the file is empty", "no keys", "a scenario needs %s", scenarioKeys.needs())
		return nil
	}
	p.anchors = anchors{}
	ast.Walk(p.anchors, root)
	return root
}

// parseYAML guards against faults of the YAML library on strange input.
func parseYAML(data []byte) (f *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("not readable: %v", r)
		}
	}()
	return yamlparser.ParseBytes(data, 0, yamlparser.AllowDuplicateMapKey())
}

// syntax turns the YAML library's error into ours.
func (p *parser) syntax(err error) {
	at, text := Pos{1, 1}, err.Error()
	var located yaml.Error
	if errors.As(err, &located) {
		text = located.GetMessage()
		if t := located.GetToken(); t != nil && t.Position != nil {
			at = Pos{t.Position.Line, t.Position.Column}
		}
	}
	p.fail(at, "not YAML", text, "see docs/scenario-format.md for the form")
}

// Visit collects anchors by name.
func (a anchors) Visit(n ast.Node) ast.Visitor {
	if n, ok := n.(*ast.AnchorNode); ok && n.Name != nil {
		a[n.Name.GetToken().Value] = n.Value
	}
	return a
}

// resolve follows anchors and aliases to a value. It returns nil after a
// failure.
func (p *parser) resolve(n ast.Node) ast.Node {
	if p.read++; p.read > mostNodes {
		p.fail(Pos{1, 1}, "too many values", fmt.Sprint("over ", mostNodes), "describe long lists of requests as a workload")
		return nil
	}
	for hops := 0; hops < 8; hops++ {
		switch x := n.(type) {
		case *ast.AnchorNode:
			n = x.Value
		case *ast.AliasNode:
			name := x.Value.GetToken().Value
			to, ok := p.anchors[name]
			if !ok {
				p.fail(posOf(x), "unknown alias", "*"+name, "an alias names an &anchor of the file")
				return nil
			}
			n = to
		case *ast.TagNode:
			p.fail(posOf(x), "a tag", x.Start.Value, "values are written without tags")
			return nil
		case nil:
			return nil
		default:
			return n
		}
	}
	p.fail(posOf(n), "an alias of itself", "*", "an alias names a value")
	return nil
}

// posOf is where a node starts.
func posOf(n ast.Node) Pos {
	switch x := n.(type) {
	case nil:
		return Pos{}
	case *ast.MappingNode:
		if !x.IsFlowStyle && len(x.Values) > 0 {
			return posOf(x.Values[0].Key)
		}
	case *ast.MappingValueNode:
		return posOf(x.Key)
	}
	t := n.GetToken()
	if t == nil || t.Position == nil {
		return Pos{}
	}
	return Pos{t.Position.Line, t.Position.Column}
}

// kindOf names a node's kind for a person.
func kindOf(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return ""
	}
	if s, ok := scalarText(n); ok {
		return s
	}
	return n.Type().String()
}
