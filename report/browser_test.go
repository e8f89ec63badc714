package report

import (
	"context"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// browser opens a page in headless Chromium and gives what it logged.
func browser(t *testing.T, path string, args ...string) (stdout, log string) {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	args = append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--user-data-dir=" + t.TempDir(), "--enable-logging=stderr", "--hide-scrollbars",
	}, append(args, "file://"+path)...)
	var out, errs strings.Builder
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Run(), errs.String())
	return out.String(), errs.String()
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// The page renders and its script runs under its own policy, without a word
// on the console. A page that does complain shows that the check would see it.
func TestInBrowser(t *testing.T) {
	_, s := hostile(t)
	path := write(t, "page.html", page(t, studyOf(t, recording(t)), s))
	for _, size := range []string{"1280,1600", "390,1600"} {
		picture := filepath.Join(t.TempDir(), "page.png")
		_, log := browser(t, path, "--window-size="+size, "--screenshot="+picture)
		assert.NotContains(t, log, "CONSOLE")
		file, err := os.Open(picture)
		require.NoError(t, err)
		img, err := png.Decode(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		colours := map[[3]uint32]bool{}
		for x := 0; x < img.Bounds().Dx(); x += 7 {
			for y := 0; y < img.Bounds().Dy(); y += 3 {
				r, g, b, _ := img.At(x, y).RGBA()
				colours[[3]uint32{r, g, b}] = true
			}
		}
		assert.Greater(t, len(colours), 8, "the picture is blank")
	}
	dom, _ := browser(t, path, "--dump-dom")
	assert.Equal(t, 1, strings.Count(dom, "<script>"))

	_, log := browser(t, write(t, "bad.html", "<script>console.error('seen')</script>"), "--dump-dom")
	assert.Contains(t, log, "seen")
}
