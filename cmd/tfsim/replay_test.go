package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// servedRecord is one of requests to a simulated machine, some of them given up.
func servedRecord(t *testing.T) string {
	record := filepath.Join(t.TempDir(), "run.record")
	url, _, errs, stop := serving(t, "--machine", "m5-ultra-512gb", "--speed", "200", "--parallel", "2", "--record", record)
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			body := fmt.Sprintf(`{"prompt": "go on, %d", "max_tokens": 60, "ignore_eos": true, "stream": true}`, i)
			resp, err := http.Post(url+"/v1/completions", "application/json", strings.NewReader(body))
			if err != nil {
				return
			}
			defer func() { _ = resp.Body.Close() }()
			if i%4 < 3 {
				_, _ = io.Copy(io.Discard, resp.Body)
			}
		})
	}
	all.Wait()
	require.Equal(t, 0, stop(), errs)
	text, err := os.ReadFile(record)
	require.NoError(t, err)
	return string(text)
}

// Each command refuses a record that was altered in one line, with its number,
// and exit status 2.
func TestReplayRefuses(t *testing.T) {
	record := servedRecord(t)
	file := filepath.Join(t.TempDir(), "altered.record")
	commands := [][]string{{"replay", file}, {"compare", file}, {"replay", file, "--set", "TF_DSV41_DRAFTS=0"}}
	run := func(text string, args []string) (code int, errs string) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		var out, wrong bytes.Buffer
		code = Execute(args, &out, &wrong)
		return code, wrong.String()
	}
	for _, args := range commands {
		code, errs := run(record, args)
		require.Equal(t, 0, code, errs)
	}
	lines := strings.SplitAfter(record, "\n")
	outcome := 0
	for !strings.Contains(lines[outcome], `"outcome":`) {
		outcome++
	}
	first := lines[0]
	replaced := func(line, pattern, with string) string {
		altered := regexp.MustCompile(pattern).ReplaceAllString(line, with)
		require.NotEqual(t, line, altered, pattern)
		return altered
	}
	for _, c := range []struct {
		line    int
		altered string
		want    string
	}{
		{0, replaced(first, `"Lanes":2`, `"Lanes":0`), "core: lanes 0: must be at least 1"},
		{0, replaced(first, `"Lanes":2`, `"Lanes":"2"`), "config.Lanes is a string; want a whole number of 64 bits"},
		{0, replaced(first, `"belief":"[^"]*"`, `"belief":"hope"`), `"hope"`},
		{0, replaced(first, `"table":\{`, `"table":7,"other":{`), "the record's table:"},
		{0, replaced(first, `"table":\{`, `"table":{"unheard":1,`), "the record's table:"},
		{0, replaced(first, `"note":.*`, `"note":7}`), "the record's note does not say what the server believed"},
		{outcome, replaced(lines[outcome], `"at":[0-9]+`, `"at":0`), "at is 0; want "},
		{outcome, replaced(lines[outcome], `"at":`, `"at":-`), "at is -"},
		{outcome, replaced(lines[outcome], `"at":[0-9]+`, `"at":9000000000000000000`), "at is 9000000000000000000; want "},
		{outcome, replaced(lines[outcome], `"Wall":[0-9]+`, `"Wall":-7`), "outcome.Wall is -7; want 0 to "},
		{outcome, replaced(lines[outcome], `"Wall":[0-9]+`, `"Wall":7000000000`), "outcome.Wall is 7000000000; want 0 to "},
		{outcome, replaced(lines[outcome], `"Rows":[0-9]+`, `"Rows":7000`), "outcome.Rows is 7000; want 0 to "},
		{outcome, first, "it has config or note again; want them in the first line alone"},
		{outcome, "{}\n", "it has nothing to replay; want one of submit, cancel, action, outcome, change, end"},
		{outcome, `{"at":9,"cancel":77,"end":true}` + "\n", "it has cancel and end; want one of submit, cancel, action, outcome, change, end"},
		{len(lines) - 1, lines[outcome], "it is below the end; want nothing there"},
	} {
		altered := append([]string(nil), lines...)
		altered[c.line] = c.altered
		for _, args := range commands {
			code, errs := run(strings.Join(altered, ""), args)
			require.Equal(t, 2, code, "%s: %s", c.altered, errs)
			require.Contains(t, errs, fmt.Sprintf("%s: line %d of the record: ", file, c.line+1))
			require.Contains(t, errs, c.want)
			require.Equal(t, 1, strings.Count(errs, "\n"), errs)
		}
	}
	for n, want := range []string{"0.000 s, before its first request", "too little was timed"} {
		for _, args := range commands[1:] {
			code, errs := run(strings.Join(lines[:n+1], ""), args)
			require.Equal(t, 2, code, errs)
			require.Contains(t, errs, fmt.Sprintf("%s: the record is cut short after line %d, at ", file, n+1))
			require.Contains(t, errs, want)
		}
	}
}

// A decision that is another one is told in a line.
func TestReplayDiffers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "other.record")
	other := regexp.MustCompile(`"Windows":\[\{"Slot":[01],"ID":([0-9]+)`).ReplaceAllString(servedRecord(t), `"Windows":[{"Slot":7,"ID":$1`)
	require.NoError(t, os.WriteFile(file, []byte(other), 0o600))
	var out, wrong bytes.Buffer
	require.Equal(t, 1, Execute([]string{"replay", file}, &out, &wrong), wrong.String())
	require.Regexp(t, `alike: action [0-9]+ at [0-9]+ µs, a round of [12] windows: recorded Windows\[0\]\.Slot 7, now [01] \(`, wrong.String())
}

// A record of no work yet has none to hold against prices.
func TestCompareWithoutWork(t *testing.T) {
	lines := strings.SplitAfter(servedRecord(t), "\n")
	file := filepath.Join(t.TempDir(), "short.record")
	require.NoError(t, os.WriteFile(file, []byte(lines[0]+lines[1]), 0o600))
	var out, wrong bytes.Buffer
	require.Equal(t, 0, Execute([]string{"compare", file, "--machine", "m5-ultra-512gb"}, &out, &wrong), wrong.String())
	require.True(t, strings.HasSuffix(out.String(), ")\n"), out.String())
	require.NotContains(t, out.String(), "work")
}
