package costmodel

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLibrary(t *testing.T) {
	require.Equal(t, []string{"gb10-x2", "h200-llamacpp-vulkan", "large-gpu", "m3-ultra-512gb", "m5-ultra-512gb"}, Library())
	for _, name := range Library() {
		table := opened(t, name)
		require.Equal(t, name, table.Machine)
		require.Contains(t, table.Drafts.Loads, "chat")
		require.Contains(t, table.Drafts.Loads, "code")
	}
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	require.NoError(t, os.WriteFile(path, []byte(small), 0o600))
	require.Equal(t, parsed(t, small), opened(t, path))

	_, err := Open("m5")
	require.EqualError(t, err, `unknown machine "m5"; accepted: a path of a .yaml file, or `+
		`gb10-x2, h200-llamacpp-vulkan, large-gpu, m3-ultra-512gb, m5-ultra-512gb`)
	_, err = Open("./none")
	require.ErrorIs(t, err, os.ErrNotExist)
}
