package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// traced is the path of a shipped sample.
func traced(file string) string { return filepath.Join("..", "..", "scenarios", "traces", file) }

const onM5 = "--machine=m5-ultra-512gb"

type tracedDocument struct {
	Scenario, Machine string
	Results           []struct {
		Case, Arm string
		Saturated bool
		Notes     []string
		Requests  []struct {
			ID     string
			Cached int `json:"cached_tokens"`
		}
		Totals struct{ Done, Cancelled, Failed int }
	}
}

func replayed(t *testing.T, args ...string) (d tracedDocument) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(ran(t, append([]string{"replay-trace", "--json"}, args...)...)), &d))
	return d
}

func TestReplayTrace(t *testing.T) {
	d := replayed(t, onM5, "--arm", "base", "--arm", "share: decode-share=0.25 no-drafts=1", traced("azure-2023.csv"), traced("burstgpt.csv"))
	require.Equal(t, "azure-2023, burstgpt", d.Scenario)
	require.Equal(t, "m5-ultra-512gb", d.Machine)
	require.Len(t, d.Results, 4)
	for i, want := range []struct {
		name, arm string
		done      int
	}{{"azure-2023", "base", 120}, {"azure-2023", "share", 120}, {"burstgpt", "base", 112}, {"burstgpt", "share", 112}} {
		r := d.Results[i]
		require.Equal(t, []string{want.name, want.arm}, []string{r.Case, r.Arm})
		require.Equal(t, want.done, r.Totals.Done)
		require.Empty(t, r.Requests)
	}
	table := ran(t, "replay-trace", onM5, traced("burstgpt.csv"))
	require.Contains(t, table, "rows without a reply, such as failures, left out: 8")
	require.Equal(t, table, ran(t, "replay-trace", onM5, traced("burstgpt.csv")), "the same bytes")
}

func TestReplayTraceChoice(t *testing.T) {
	count := func(args ...string) int {
		return replayed(t, append(args, onM5, traced("azure-2024.csv"))...).Results[0].Totals.Done
	}
	require.Equal(t, 120, count("--speed", "0.1"))
	require.Equal(t, 7, count("--limit", "7"))
	early, late := count("--to", "5m"), count("--from", "5m")
	require.Equal(t, 120, early+late)
	require.Positive(t, min(early, late))
	part := count("--sample", "0.5")
	require.InDelta(t, 60, part, 30)
	require.Equal(t, part, count("--sample", "0.5"))
	listed := replayed(t, onM5, "--per-request", "--limit", "3", traced("azure-2024.csv")).Results[0].Requests
	require.Len(t, listed, 3)
	require.Equal(t, "r1", listed[0].ID)
}

func TestReplayTraceWith(t *testing.T) {
	with := filepath.Join("..", "..", "scenarios", "long-beside-short.yaml")
	d := replayed(t, "--with", with, "--limit", "20", "--arm", "pieces", "--arm", "one: parallel=1", traced("events.jsonl"))
	require.Len(t, d.Results, 2)
	require.Equal(t, "pieces", d.Results[0].Arm)
	require.Equal(t, "one", d.Results[1].Arm)
	require.Len(t, replayed(t, "--with", with, "--limit", "5", traced("events.jsonl")).Results, 4)
}

func TestReplayTraceFormats(t *testing.T) {
	d := replayed(t, onM5, "--rate", "0.1", traced("sharegpt.json"))
	require.Equal(t, 112, d.Results[0].Totals.Done)
	d = replayed(t, onM5, "--set", "prompt-cache-gib=8", "--per-request", traced("mooncake.jsonl"))
	cached := 0
	for _, r := range d.Results[0].Requests {
		cached += r.Cached
	}
	require.Positive(t, cached)
	// What --events writes is a trace again.
	events := filepath.Join(t.TempDir(), "again.jsonl")
	first := replayed(t, onM5, "--events", events, traced("events.jsonl"))
	require.Equal(t, first.Results, func() any {
		d := replayed(t, onM5, events)
		d.Results[0].Case = first.Results[0].Case
		return d.Results
	}())
}

func TestReplayTraceDraws(t *testing.T) {
	dir := t.TempDir()
	page, plot := filepath.Join(dir, "page.html"), filepath.Join(dir, "plot.svg")
	ran(t, "replay-trace", onM5, "--speed", "0.5", "--limit", "20", "--html", page, "--plot", plot, traced("azure-2023.csv"))
	html, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(html), "tfsim replay-trace --machine m5-ultra-512gb --speed 0.5 --limit 20 "+traced("azure-2023.csv"))
	require.FileExists(t, plot)
}

// What is interrupted leaves no files behind, and is no success.
func TestReplayTraceInterrupted(t *testing.T) {
	long := "TIMESTAMP,ContextTokens,GeneratedTokens\n" + strings.Repeat("2023-11-16 18:15:46,1000000,1000\n", 100_000)
	path := written(t, "long.csv", long)
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		events := filepath.Join(t.TempDir(), "events")
		cmd, stdout, stderr := process(t, append([]string{"replay-trace", "--events", events, path}, strings.Fields(onM5)...)...)
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool { left, _ := os.ReadDir(filepath.Dir(events)); return len(left) > 0 }, time.Minute, 10*time.Millisecond)
		require.NoError(t, cmd.Process.Signal(signal))
		_ = cmd.Wait()
		require.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
		require.Empty(t, stdout.String())
		require.Contains(t, stderr.String(), "tfsim: stopped after 0 of 1 runs")
		left, err := os.ReadDir(filepath.Dir(events))
		require.NoError(t, err)
		require.Empty(t, left)
	}
}

func TestReplayTraceErrors(t *testing.T) {
	azure := traced("azure-2023.csv")
	broken := written(t, "broken.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,many,1\n")
	for _, c := range []struct{ args, want string }{
		{"", "no trace; try: tfsim replay-trace"},
		{azure, "no --machine; the library has"},
		{onM5 + " none.csv", "none.csv: no such file"},
		{onM5 + " " + broken, "broken.csv:2: ContextTokens is no number of tokens (many); a whole number from 0"},
		{onM5 + " " + azure + " " + azure, "is given twice"},
		{onM5 + " --format csv " + azure, `--format "csv": want azure, burstgpt, mooncake, sharegpt, events, record`},
		{onM5 + " --format mooncake " + azure, "azure-2023.csv:1: not a JSON object"},
		{onM5 + " --speed 0 " + azure, "--speed 0: want a number over 0"},
		{onM5 + " --sample NaN " + azure, "--sample NaN: want a number over 0 and at most 1"},
		{onM5 + " --from 5m --to 1m " + azure, "--to is not after from"},
		{onM5 + " --from -1s " + azure, "--from is before the trace's first request; want 0s or more"},
		{onM5 + " --limit -1 " + azure, "--limit -1: want 1 or more"},
		{onM5 + " --from 100h " + azure, "no request is played of 120 read"},
		{onM5 + " --rate 1 " + azure, "azure-2023.csv has times of its own (azure); leave out arrivals (--rate)"},
		{onM5 + " --rate 0 " + azure, "--rate 0: want 0.000001 to 1000000"},
		{onM5 + " " + traced("sharegpt.json"), "sharegpt.json has no times (sharegpt)"},
		{onM5 + " --arm a: --arm a: " + azure, `--arm "a:": each arm has a name of its own`},
		{onM5 + " --arm a:x " + azure, `--arm "a:x": want 'NAME: SETTING=VALUE ...'`},
		{onM5 + " --arm a:decode-share=7 " + azure, "--arm a: "},
		{onM5 + " --load poetry " + azure, "poetry"},
		{"--machine none " + azure, `unknown machine "none"`},
	} {
		require.Contains(t, refused(t, append([]string{"replay-trace"}, strings.Fields(c.args)...)...), c.want, c.args)
	}
}
