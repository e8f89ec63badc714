package costmodel

import (
	"regexp"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// mostRows bounds a table's rows and windows of a launch.
const mostRows = 1024

// name is what a machine and a load may be called.
var name = regexp.MustCompile(`^[a-z0-9]+([-_.][a-z0-9]+)*$`)

// Parse reads a table from YAML. Unknown keys, numbers that are negative where
// they must not be or not finite, and sections without provenance are errors.
// An error is one line, "file:line:col: what was wrong; what is accepted", and
// names keys by their whole path.
func Parse(filename string, data []byte) (*Table, error) {
	r := reader{filename}
	root, err := r.document(data)
	if err != nil {
		return nil, err
	}
	t := &Table{}
	var stated map[string]*token.Token
	found, err := r.object(root, "",
		need("machine", r.name(&t.Machine)),
		need("device", r.text(&t.Device)),
		need("weights", r.text(&t.Weights)),
		may("about", r.text(&t.About)),
		need("provenance", func(at string, n ast.Node) (err error) {
			stated, err = r.sections(at, n, &t.Provenance)
			return err
		}),
		need("launch", r.limits(&t.Limits)),
		may("rows", r.rows(&t.Rows)),
		may("windows", r.windows(&t.Windows)),
		may("context_ms_per_1k", r.cost(&t.ContextMsPer1K)),
		may("caches", r.caches(&t.Caches)),
		may("sampling", r.sampling(&t.Sampling)),
		may("pass", r.pass(&t.Drafter)),
		need("chunk", r.chunk(&t.Prompt)),
		may("restore_ms", r.cost(&t.RestoreMs)),
		may("restore_ms_per_1k", r.cost(&t.RestoreMsPer1K)),
		may("kept_mib_per_1k", r.cost(&t.KeptMiBPer1K)),
		may("noise", r.real(0, 2, &t.Noise)),
		may("heat", r.heat(&t.Heat)),
		need("drafts", r.drafts(&t.Drafts)),
	)
	if err != nil {
		return nil, err
	}
	if (t.Rows == nil) == (t.Windows == nil) {
		at := found["windows"]
		if at == nil {
			at = start(root)
		}
		return nil, r.errorAt(at, "a launch needs one price; accepted: one of rows, windows")
	}
	if err := r.within(t, found); err != nil {
		return nil, err
	}
	if err := r.provenance(t, found, stated); err != nil {
		return nil, err
	}
	return t, nil
}

// provenance holds that each section says where its figures come from, and that
// nothing else does.
func (r reader) provenance(t *Table, found, stated map[string]*token.Token) error {
	for _, s := range []struct {
		section, key string
		needed       bool
	}{
		{"launch", "launch", t.Limits.FurtherMs > 0},
		{"rows", "rows", t.Rows != nil},
		{"windows", "windows", t.Windows != nil},
		{"context", "context_ms_per_1k", found["context_ms_per_1k"] != nil},
		{"sampling", "sampling", t.Sampling != nil},
		{"pass", "pass", t.Drafter != nil},
		{"chunk", "chunk", true},
		{"restore", "restore_ms", found["restore_ms"] != nil},
		{"restore", "restore_ms_per_1k", found["restore_ms_per_1k"] != nil},
		{"heat", "heat", t.Heat != nil},
		{"drafts", "drafts", true},
	} {
		if s.needed && stated[s.section] == nil {
			return r.errorAt(found[s.key], "%s has no provenance; accepted: an entry %s in provenance", s.key, s.section)
		}
		if !s.needed && stated[s.section] != nil && found[s.key] == nil && s.section != "context" && s.section != "restore" {
			return r.errorAt(stated[s.section], "provenance of %s, which the table lacks; accepted: entries for the table's sections", s.section)
		}
	}
	return nil
}

// name reads a short name.
func (r reader) name(to *string) read {
	return func(at string, n ast.Node) error {
		s, ok := n.(*ast.StringNode)
		if !ok || !name.MatchString(s.Value) {
			return r.errorAt(start(n), "%s is %s; accepted: lower-case words joined by - _ or .", at, shown(n))
		}
		*to = s.Value
		return nil
	}
}

func (r reader) sections(at string, n ast.Node, to *Sections) (map[string]*token.Token, error) {
	return r.object(n, at,
		may("launch", r.origin(&to.Launch)),
		may("rows", r.origin(&to.Rows)),
		may("windows", r.origin(&to.Windows)),
		may("context", r.origin(&to.Context)),
		may("sampling", r.origin(&to.Sampling)),
		may("pass", r.origin(&to.Pass)),
		may("chunk", r.origin(&to.Chunk)),
		may("restore", r.origin(&to.Restore)),
		may("heat", r.origin(&to.Heat)),
		may("drafts", r.origin(&to.Drafts)),
	)
}

func (r reader) origin(to *Provenance) read {
	return func(at string, n ast.Node) error {
		_, err := r.object(n, at,
			need("grade", r.grade(&to.Grade)),
			need("source", r.text(&to.Source)),
			may("method", r.text(&to.Method)),
			may("date", r.text(&to.Date)),
		)
		return err
	}
}

func (r reader) caches(to *string) read {
	return func(at string, n ast.Node) error {
		s, ok := n.(*ast.StringNode)
		if !ok || s.Value != StreamCaches {
			return r.errorAt(start(n), "%s is %s; accepted: %s, or nothing", at, shown(n), StreamCaches)
		}
		*to = s.Value
		return nil
	}
}

func (r reader) grade(to *Grade) read {
	return func(at string, n ast.Node) error {
		if s, ok := n.(*ast.StringNode); ok {
			for g := Measured; g < Extrapolated; g++ {
				if s.Value == g.String() {
					*to = g
					return nil
				}
			}
		}
		return r.errorAt(start(n), "%s is %s; accepted: measured, fitted, estimated", at, shown(n))
	}
}
