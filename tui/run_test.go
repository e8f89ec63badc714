package tui

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
)

// Without a terminal there is one clear line, and nothing is started.
func TestNoTerminal(t *testing.T) {
	f, err := scenario.Load(longBesideShort)
	require.NoError(t, err)
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer file.Close()
	for _, terminal := range []Terminal{{}, {In: file, Out: file}} {
		require.ErrorContains(t, Simulate(context.Background(), f, study.Options{}, terminal), "needs a terminal")
		require.ErrorContains(t, Attach(context.Background(), "http://127.0.0.1:1", "", terminal), "needs a terminal")
	}
}

// The picture is the same each time.
func TestPicture(t *testing.T) {
	f, err := scenario.Load(longBesideShort)
	require.NoError(t, err)
	var one, two bytes.Buffer
	shot := Shot{At: 3_000_000, Window: 5_000_000, Width: 120, Height: 36, Round: true}
	require.NoError(t, Picture(&one, f, study.Options{}, shot))
	require.NoError(t, Picture(&two, f, study.Options{}, shot))
	require.Equal(t, one.String(), two.String())
	require.Contains(t, one.String(), "long beside short")
	err = Picture(&one, f, study.Options{Arms: []string{"none"}}, shot)
	require.ErrorContains(t, err, "none")
}
