package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const drawnScenario = `name: drawn
machine: m5-ultra-512gb
server: {parallel: 2, context: 65536, prompt_cache_gib: 0}
cases:
  - name: both
    requests:
      - {id: reply, at: 0s, prompt: 64, output: 24}
      - {id: long, at: 300ms, prompt: 8192, output: 6}
arms:
  - {name: base}
  - {name: share, flags: {decode-share: 0.25}}
`

func drawnFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "drawn.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestScenarioDraws(t *testing.T) {
	file, dir := drawnFile(t, drawnScenario), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	draw := func(extra ...string) map[string]string {
		args := append([]string{"scenario", file, "--html", at("page.html"), "--plot", at("plot.svg"), "--trace", at("trace.json"), "--json"}, extra...)
		_, stderr, code := run(args...)
		require.Equal(t, exitOK, code, stderr)
		out := map[string]string{}
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range left {
			b, err := os.ReadFile(at(e.Name()))
			require.NoError(t, err)
			out[e.Name()] = string(b)
		}
		require.Len(t, out, 3, "files left over")
		return out
	}
	first := draw()
	assert.Equal(t, first, draw(), "the same line gives the same bytes")

	html := first["page.html"]
	assert.Contains(t, html, "--decode-share")
	assert.Contains(t, html, "tfsim scenario "+file)
	assert.Contains(t, html, "Apple M5 Ultra")
	assert.Contains(t, html, `aria-label="Timeline of share`)
	var trace struct{ TraceEvents []struct{ Name string } }
	require.NoError(t, json.Unmarshal([]byte(first["trace.json"]), &trace))
	assert.Contains(t, first["trace.json"], `"both / base"`)
	assert.Contains(t, first["trace.json"], `"both / share"`)
	assert.True(t, strings.HasPrefix(first["plot.svg"], "<?xml"))

	repeated := draw("--repeat", "3", "--seed", "7", "--arm", "share")
	assert.Contains(t, repeated["page.html"], "tfsim scenario --arm share --seed 7 --repeat 3 "+file)
	assert.Contains(t, repeated["page.html"], "7 to 9, of which the first is drawn")
	assert.Equal(t, 1, strings.Count(repeated["trace.json"], `"process_name"`))
}

// The page alone does not depend on how many runs go at a time.
func TestPageOfConcurrentRuns(t *testing.T) {
	file, dir := drawnFile(t, drawnScenario), t.TempDir()
	page, other := filepath.Join(dir, "a.html"), filepath.Join(dir, "b.html")
	_, _, code := run("scenario", file, "--html", page)
	require.Equal(t, exitOK, code)
	_, _, code = run("scenario", file, "--html", other, "--trace", filepath.Join(dir, "t.json"))
	require.Equal(t, exitOK, code)
	a, _ := os.ReadFile(page)
	b, _ := os.ReadFile(other)
	assert.Equal(t, string(a), string(b))
}

func TestScenarioDrawsNothingOnFailure(t *testing.T) {
	file, dir := drawnFile(t, drawnScenario), t.TempDir()
	page := filepath.Join(dir, "page.html")
	for _, c := range []struct {
		args   []string
		stderr string
	}{
		{[]string{"--plot", filepath.Join(dir, "plot.pdf")}, `no format ".pdf"; use .svg or .png`},
		{[]string{"--plot", filepath.Join(dir, "plot")}, "ends in .svg or .png"},
		{[]string{"--trace", filepath.Join(dir, "none", "t.json")}, "--trace: "},
		{[]string{"--trace", dir}, "is a directory"},
		{[]string{"--arm", "nobody"}, `no arm "nobody"`},
		{[]string{"--set", "TENSORFOLD_PREFILL_SHARE=2"}, "TENSORFOLD_PREFILL_SHARE"},
	} {
		_, stderr, code := run(append([]string{"scenario", file, "--html", page}, c.args...)...)
		assert.Equal(t, exitUsage, code)
		assert.Contains(t, stderr, c.stderr)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, left, "%v", c.args)
	}
}

// A study whose expectation fails is drawn all the same.
func TestScenarioDrawsWhatFails(t *testing.T) {
	file := drawnFile(t, drawnScenario+"expect:\n  - {case: both, arm: base, request: reply, metric: done_s, below: 0.001}\n")
	page := filepath.Join(t.TempDir(), "page.html")
	_, _, code := run("scenario", file, "--html", page)
	assert.Equal(t, exitFailed, code)
	b, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Contains(t, string(b), "✗ 1 of 1 expectations did not hold")
}

func TestShellQuote(t *testing.T) {
	for in, want := range map[string]string{
		"a.yaml": "a.yaml", "": "''", "two words": "'two words'", "it's": `'it'\''s'`, "$(rm)": "'$(rm)'", "A=1": "A=1",
	} {
		assert.Equal(t, want, shellQuote(in))
	}
}
