package scenario

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocument holds that the example of the documentation parses and that
// it names every key and figure.
func TestDocument(t *testing.T) {
	doc := string(readAll(t, "../../docs/scenario-format.md"))
	_, rest, ok := strings.Cut(doc, "```yaml\n")
	require.True(t, ok)
	example, _, ok := strings.Cut(rest, "```\n")
	require.True(t, ok)
	f, err := Parse("example.yaml", []byte(example))
	require.NoError(t, err)
	require.Len(t, f.Arms, 4)
	for _, table := range []*keys{scenarioKeys, serverKeys, worldKeys, caseKeys, requestKeys, mixKeys, workloadKeys, armKeys, expectKeys, sloKeys} {
		for _, name := range table.names() {
			require.Contains(t, doc, name, table.what)
		}
	}
	for _, name := range allMetrics() {
		require.Contains(t, doc, "`"+name+"`")
	}
}
