package settings

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/internal/golden"
)

func TestDocsAreCurrent(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteMarkdown(&b))
	golden.File(t, "../../docs/settings.md", b.Bytes())
}

func TestMarkdownTablesAreWhole(t *testing.T) {
	var b strings.Builder
	require.NoError(t, WriteMarkdown(&b))
	rows := 0
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "| `") {
			rows++
			require.Equal(t, 6, strings.Count(line, "|")-strings.Count(line, `\|`), line)
		}
	}
	require.Equal(t, len(All()), rows)
}

func TestTableIsAligned(t *testing.T) {
	var b strings.Builder
	require.NoError(t, WriteTable(&b))
	for _, s := range All() {
		require.Contains(t, b.String(), "\n  "+s.Name+" ")
	}
	require.True(t, strings.HasPrefix(b.String(), "Host\n  --parallel "))
	column := -1
	for line := range strings.Lines(b.String()) {
		for _, form := range []string{"an integer", "a fraction", "a number", "0, 1, off"} {
			at := strings.Index(line, "  "+form)
			if !strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "      ") || at < 0 {
				continue
			}
			if column < 0 {
				column = at
			}
			require.Equal(t, column, at, line)
		}
	}
}

func TestJSONHasEverySetting(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteJSON(&b))
	var read []map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &read))
	require.Len(t, read, len(All()))
	for i, s := range All() {
		require.Equal(t, s.Name, read[i]["name"])
		require.Equal(t, s.Kind.String(), read[i]["kind"])
		require.Equal(t, s.Scope.String(), read[i]["scope"])
		require.Equal(t, s.Default, read[i]["default"])
	}
}
