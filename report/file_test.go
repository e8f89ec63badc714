package report

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFileIsWholeOrNotThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))

	f, err := Create(path)
	require.NoError(t, err)
	_, _ = f.WriteString("half")
	f.Discard()
	f.Discard()
	kept, _ := os.ReadFile(path)
	assert.Equal(t, "old", string(kept))

	f, err = Create(path)
	require.NoError(t, err)
	_, _ = f.WriteString("new")
	require.NoError(t, f.Keep())
	f.Discard()
	kept, _ = os.ReadFile(path)
	assert.Equal(t, "new", string(kept))

	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 1)
	_, err = Create(dir)
	require.ErrorContains(t, err, "is a directory")
	_, err = Create(filepath.Join(dir, "none", "page.html"))
	require.EqualError(t, err, "no folder "+filepath.Join(dir, "none"))
	_, err = Create(filepath.Join(path, "page.html"))
	require.EqualError(t, err, path+" is not a folder")
}

// What is no regular file is written straight to, and stays what it is.
func TestFileThatIsNone(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	read := make(chan []byte)
	go func() {
		all, _ := os.ReadFile(pipe)
		read <- all
	}()
	f, err := Create(pipe)
	require.NoError(t, err)
	_, _ = f.WriteString("page")
	require.NoError(t, f.Keep())
	f.Discard()
	assert.Equal(t, "page", string(<-read))

	device := filepath.Join(dir, "null")
	require.NoError(t, os.Symlink(os.DevNull, device))
	for _, path := range []string{os.DevNull, device} {
		f, err = Create(path)
		require.NoError(t, err)
		_, _ = f.WriteString("page")
		f.Discard()
		f, err = Create(path)
		require.NoError(t, err)
		_, _ = f.WriteString("page")
		require.NoError(t, f.Keep())
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.False(t, info.Mode().IsRegular())
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 2)
}

func TestFormatOf(t *testing.T) {
	for path, want := range map[string]Format{"a.svg": SVG, "b/c.PNG": PNG} {
		got, err := FormatOf(path)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := FormatOf("a.pdf")
	require.EqualError(t, err, `a.pdf: no format ".pdf"; use .svg or .png`)
	_, err = FormatOf("svg")
	require.EqualError(t, err, "svg: a picture's name ends in .svg or .png")
}
