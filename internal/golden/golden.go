// Package golden compares what a test rendered with a file that is kept.
package golden

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the kept files anew")

// File fails t unless the file at path holds got; under -update it writes
// got there instead.
func File(t testing.TB, path string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "%s: rewrite with -update and review", path)
}
