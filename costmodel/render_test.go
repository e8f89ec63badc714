package costmodel

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/internal/golden"
)

// holds compares what a rendering writes with testdata/NAME.golden.
func holds(t *testing.T, name string, render func(io.Writer) error) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, render(&out))
	golden.File(t, "testdata/"+name+".golden", out.Bytes())
	return out.String()
}

func TestWriteList(t *testing.T) { holds(t, "list", WriteList) }

func TestWriteText(t *testing.T) {
	for name, width := range map[string]int{
		"gb10-x2": 80, "h200-llamacpp-vulkan": 100, "large-gpu": 80, "m3-ultra-512gb": 60, "m5-ultra-512gb": 80,
	} {
		t.Run(name, func(t *testing.T) {
			text := holds(t, name, func(w io.Writer) error { return opened(t, name).WriteText(w, width) })
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				require.LessOrEqual(t, cells(line), width, line)
				require.Equal(t, strings.TrimRight(line, " "), line)
			}
		})
	}
}

func TestWriteJSON(t *testing.T) {
	holds(t, "h200-llamacpp-vulkan.json", opened(t, "h200-llamacpp-vulkan").WriteJSON)
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
