package core

import (
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestImports holds core pure: nothing that it may import has a clock, I/O,
// a goroutine or randomness.
func TestImports(t *testing.T) {
	allowed := []string{"errors", "fmt", "math", "slices"}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			if path := strings.Trim(i.Path.Value, `"`); !slices.Contains(allowed, path) {
				t.Errorf("%s imports %s; allowed: %v", name, path, allowed)
			}
		}
	}
}
