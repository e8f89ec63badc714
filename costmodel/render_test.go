package costmodel

import (
	"bytes"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden holds what a rendering writes against testdata/NAME.golden.
func golden(t *testing.T, name string, render func(io.Writer) error) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, render(&out))
	path := "testdata/" + name + ".golden"
	if *update {
		require.NoError(t, os.WriteFile(path, out.Bytes(), 0o600))
	}
	require.Equal(t, string(contents(t, path)), out.String())
	return out.String()
}

func TestWriteList(t *testing.T) { golden(t, "list", WriteList) }

func TestWriteText(t *testing.T) {
	for name, width := range map[string]int{
		"gb10-x2": 80, "h200-llamacpp-vulkan": 100, "large-gpu": 80, "m3-ultra-512gb": 60, "m5-ultra-512gb": 80,
	} {
		t.Run(name, func(t *testing.T) {
			text := golden(t, name, func(w io.Writer) error { return opened(t, name).WriteText(w, width) })
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				require.LessOrEqual(t, cells(line), width, line)
				require.Equal(t, strings.TrimRight(line, " "), line)
			}
		})
	}
}

func TestWriteJSON(t *testing.T) {
	golden(t, "h200-llamacpp-vulkan.json", opened(t, "h200-llamacpp-vulkan").WriteJSON)
	for _, name := range Library() {
		table := opened(t, name)
		var out bytes.Buffer
		require.NoError(t, table.WriteJSON(&out))
		again, err := Parse(name, out.Bytes())
		require.NoError(t, err)
		require.Equal(t, table, again)
	}
}

func TestRoundUp(t *testing.T) {
	for v, want := range map[float64]float64{0: 1, 0.7: 0.8, 1: 1, 26.4: 30, 108: 120, 1000: 1000, 8.1: 10} {
		require.InDelta(t, want, roundUp(v), 1e-9)
	}
}
