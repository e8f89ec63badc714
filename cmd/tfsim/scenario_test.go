package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const smallScenario = `name: small
machine: m3-ultra-512gb
cases:
  - name: one
    requests: [{id: a, prompt: 64, output: 8}, {id: b, at: 1s, prompt: 600, output: 1, cancel_at: 1200ms}]
arms:
  - {name: base}
  - {name: pieces, env: {TF_DSV41_PREFILL_PIECES: "1"}}
expect:
  - {case: one, arm: base, request: a, metric: done_s, below: 60}
`

// written writes a file and returns its path.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// ran is run for what must succeed without a message.
func ran(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, code := run(args...)
	require.Equal(t, 0, code, stderr)
	require.Empty(t, stderr)
	return stdout
}

// refused is run for what must fail with one line and no results.
func refused(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, code := run(args...)
	require.Equal(t, 2, code, "%q: %s", args, stderr)
	require.Empty(t, stdout, args)
	assertOneLine(t, stderr)
	return stderr
}

func TestScenarioTable(t *testing.T) {
	path := written(t, "small.yaml", smallScenario)
	out := ran(t, "scenario", path)
	for _, part := range []string{"small on m3-ultra-512gb", "first token", "base", "pieces", "ok"} {
		assert.Contains(t, out, part)
	}
	assert.NotContains(t, out, "\x1b")
	assert.Contains(t, ran(t, "scenario", "--color", "always", path), "\x1b[")
	assert.Equal(t, out, ran(t, "scenario", path), "the same bytes")
	assert.Greater(t, strings.Count(ran(t, "scenario", "--width", "60", path), "\n"), strings.Count(ran(t, "scenario", "--width", "300", path), "\n"),
		"groups of figures that do not fit follow below")
}

// The keys of the contract are there, absent figures are null.
func TestScenarioJSON(t *testing.T) {
	path := written(t, "small.yaml", smallScenario)
	var d map[string]any
	require.NoError(t, json.Unmarshal([]byte(ran(t, "scenario", "--json", path)), &d))
	require.Subset(t, keysOf(d), []string{"scenario", "machine", "results", "expect"})
	results := d["results"].([]any)
	require.Len(t, results, 2)
	entry := results[0].(map[string]any)
	require.Subset(t, keysOf(entry), []string{"world", "case", "arm", "seeds", "saturated", "requests", "totals", "ci95"})
	require.Nil(t, entry["ci95"])
	requests := entry["requests"].([]any)
	require.Len(t, requests, 2)
	for _, r := range requests {
		require.Subset(t, keysOf(r.(map[string]any)), []string{"id", "status", "prompt_tokens", "output_tokens", "cached_tokens",
			"queue_s", "ttft_s", "done_s", "gap_p50_ms", "gap_p95_ms", "gap_p99_ms", "gap_max_ms", "rounds", "drafted", "accepted"})
	}
	gone := requests[1].(map[string]any)
	require.Equal(t, "cancelled", gone["status"])
	for _, absent := range []string{"ttft_s", "done_s", "gap_p50_ms", "gap_p95_ms", "gap_p99_ms", "gap_max_ms"} {
		require.Nil(t, gone[absent], absent)
	}
	totals := entry["totals"].(map[string]any)
	require.Subset(t, keysOf(totals), []string{"wall_s", "decode_tok_s", "prompt_tok_s", "rounds", "passes", "steps", "drafted",
		"accepted", "device_busy", "share", "goodput_rps", "ttft_s", "gap_ms"})
	require.Nil(t, totals["goodput_rps"])
	require.Subset(t, keysOf(totals["ttft_s"].(map[string]any)), []string{"p50", "p95", "p99"})
	require.Subset(t, keysOf(totals["gap_ms"].(map[string]any)), []string{"p50", "p95", "p99", "max"})
	expect := d["expect"].([]any)[0].(map[string]any)
	require.Equal(t, true, expect["ok"])
	require.Subset(t, keysOf(expect), []string{"text", "value"})
}

func keysOf(m map[string]any) (all []string) {
	for k := range m {
		all = append(all, k)
	}
	return all
}

func TestScenarioJSONOfSeveral(t *testing.T) {
	path := written(t, "small.yaml", smallScenario)
	var all []map[string]any
	require.NoError(t, json.Unmarshal([]byte(ran(t, "scenario", "--json", path, path)), &all))
	require.Len(t, all, 2)
	require.Equal(t, all[0], all[1])
}

func TestScenarioRepeat(t *testing.T) {
	path := written(t, "small.yaml", smallScenario)
	var d struct {
		Results []struct {
			Seeds int
			CI95  map[string]*[2]float64
		}
	}
	require.NoError(t, json.Unmarshal([]byte(ran(t, "scenario", "--json", "--repeat", "3", "--noise", "0.1", path)), &d))
	require.Equal(t, 3, d.Results[0].Seeds)
	pair := d.Results[0].CI95["decode_tok_s"]
	require.Less(t, pair[0], pair[1])
}

func TestScenarioCSV(t *testing.T) {
	path := written(t, "small.yaml", smallScenario)
	rows, err := csv.NewReader(strings.NewReader(ran(t, "scenario", "--csv", path))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+2*(2+1), "a head, and for each arm its requests and totals")
}

func TestScenarioCheck(t *testing.T) {
	path := written(t, "small.yaml", smallScenario)
	require.Equal(t, path+": ok, 1 worlds × 1 cases × 2 arms on m3-ultra-512gb\n", ran(t, "scenario", "--check", path))
	require.Contains(t, ran(t, "scenario", "--check", "--machine", "gb10-x2", path), "on gb10-x2")
	bad := written(t, "bad.yaml", strings.ReplaceAll(smallScenario, "PREFILL_PIECES: \"1\"", "PREFILL_PIECES: maybe"))
	require.Contains(t, refused(t, "scenario", "--check", path, bad), bad+":8:51: ")
}

func TestScenarioSchema(t *testing.T) {
	var schema map[string]any
	require.NoError(t, json.Unmarshal([]byte(ran(t, "scenario", "--schema")), &schema))
	require.Contains(t, schema["$schema"], "json-schema.org")
}

// A failed expectation is told with the results, and is the exit status.
func TestScenarioExpectation(t *testing.T) {
	path := written(t, "small.yaml", strings.Replace(smallScenario, "below: 60", "below: 0.001", 1))
	for _, args := range [][]string{{"scenario", path}, {"scenario", "--json", path}} {
		stdout, stderr, code := run(args...)
		assert.Equal(t, 1, code)
		assert.NotEmpty(t, stdout)
		assert.Equal(t, "tfsim: 1 expectation did not hold: one / base / a: done_s 0.569307, expected below 0.001\n", stderr)
	}
	ran(t, "scenario", "--arm", "pieces", path) // skipped
}

// An event file is there whole or not at all.
func TestScenarioEvents(t *testing.T) {
	path := written(t, "small.yaml", smallScenario)
	dir := t.TempDir()
	events := filepath.Join(dir, "events.jsonl")
	ran(t, "scenario", "--events", events, path)
	data, err := os.ReadFile(events)
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		require.True(t, json.Valid([]byte(line)), line)
	}

	_, stderr, code := run("scenario", "--events", events, "--machine", "none", path)
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "unknown machine")
	// Costs beyond all time end the second file's run.
	endless := written(t, "endless.yaml", "machine: m3-ultra-512gb\nworld: {chunk: 1000, heat: 100, noise: 2}\n"+
		"cases: [{name: c, requests: [{id: r, prompt: 1073741824, output: 4}]}]\n")
	fresh := filepath.Join(dir, "fresh.jsonl")
	refused(t, "scenario", "--events", fresh, path, endless)
	require.NoFileExists(t, fresh)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing half-written stays")

	refused(t, "scenario", "--events", dir, path)
	refused(t, "scenario", "--events", filepath.Join(dir, "none", "x"), path)
	ran(t, "scenario", "--events", os.DevNull, path)
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	require.False(t, info.Mode().IsRegular(), "what is no file stays what it is")
}

func TestScenarioBadFlags(t *testing.T) {
	path := written(t, "small.yaml", smallScenario)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--noise", "-1"}, "--noise -1: want 0 to 2"},
		{[]string{"--noise", "NaN"}, "--noise NaN: want 0 to 2"},
		{[]string{"--noise", "1e999"}, "--noise"},
		{[]string{"--noise", "loud"}, "--noise"},
		{[]string{"--seed", "-1"}, "--seed"},
		{[]string{"--seed", "18446744073709551616"}, "--seed"},
		{[]string{"--repeat", "0"}, "--repeat 0: want 1 to 10000"},
		{[]string{"--repeat", "100001"}, "--repeat 100001"},
		{[]string{"--set", "x"}, `--set "x": want NAME=VALUE`},
		{[]string{"--set", "=1"}, `want NAME=VALUE`},
		{[]string{"--set", "TFSIM_NONE=1"}, "TFSIM_NONE"},
		{[]string{"--set", "decode-share=2"}, "decode-share"},
		{[]string{"--set", "parallel=999999999"}, "at most 65536 are simulated"},
		{[]string{"--arm", "bse"}, `no arm "bse" in the file; it has ["base" "pieces"]`},
		{[]string{"--case", ""}, `no case ""`},
		{[]string{"--machine", "m9"}, `unknown machine "m9"; accepted:`},
		{[]string{"--machine", "none.yaml"}, "none.yaml"},
		{[]string{"--machine", path}, ":1:1: "},
		{[]string{"--json", "--csv"}, "json"},
		{[]string{"--color", "pink"}, "auto, always or never"},
	} {
		require.Contains(t, refused(t, append([]string{"scenario", path}, c.args...)...), c.want, c.args)
	}
	require.Contains(t, refused(t, "scenario"), "no scenario file; try: tfsim scenario")
}

func TestScenarioBadFiles(t *testing.T) {
	dir := t.TempDir()
	require.Contains(t, refused(t, "scenario", filepath.Join(dir, "none.yaml")), "no such file")
	require.Contains(t, refused(t, "scenario", dir), "directory")
	if _, err := os.Stat("/dev/zero"); err == nil {
		require.Contains(t, refused(t, "scenario", "/dev/zero"), "over 64 MiB")
	}
	for name, c := range map[string]struct{ text, want string }{
		"control characters": {"name: \"\\x1b[31mred\"\nmachine: gb10-x2\ncases: []\n", ":1:7: "},
		"empty":              {"", ":1:1: the file is empty"},
		"blank":              {"\n \n# nothing\n", ": the file is empty"},
		"binary":             {"\x7fELF\x02\x01\x01\x00\xff\xfe", ":1:1: the file is not text"},
		"zero bytes":         {"\x00\x00\x00", ":1:"},
		"a list":             {"- 1\n- 2\n", ":1:1: "},
		"a text":             {"hello", ":1:1: "},
		"deep":               {strings.Repeat("[", 100_000), "nested too deep"},
		"two documents":      {smallScenario + "---\n" + smallScenario, "a second document"},
		"unknown key":        {smallScenario + "arm: x\n", ":11:1: "},
		"twice":              {smallScenario + "name: x\n", ":11:1: "},
		"huge prompt":        {strings.Replace(smallScenario, "prompt: 64", "prompt: 99999999999999999999999", 1), ":5:32: "},
		"negative output":    {strings.Replace(smallScenario, "output: 8", "output: -8", 1), ":5:44: "},
		"a fraction":         {strings.Replace(smallScenario, "output: 8", "output: 8.5", 1), ":5:44: "},
		"infinite bound":     {strings.Replace(smallScenario, "below: 60", "below: .inf", 1), ":10:"},
		"no bound":           {strings.Replace(smallScenario, ", below: 60", "", 1), ":10:5: "},
		"endless":            {strings.Replace(smallScenario, "at: 1s", "at: 9999999h", 1), ":5:"},
		"alias of itself":    {"name: &a *a\nmachine: gb10-x2\ncases: []\n", ":"},
		"unknown alias":      {"name: *a\nmachine: gb10-x2\ncases: []\n", ":1:"},
		"Windows ends, bad":  {"name: x\r\nmachine: gb10-x2\r\ncases: []\r\n", ":3:"},
	} {
		t.Run(name, func(t *testing.T) {
			path := written(t, "x.yaml", c.text)
			require.Contains(t, refused(t, "scenario", path), "tfsim: "+path+":")
			require.Contains(t, refused(t, "scenario", "--check", path), c.want)
		})
	}
}
