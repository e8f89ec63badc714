package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
)

// said is output that a test reads while a command writes it.
type said struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *said) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// serving runs the command until stop is called, which gives its exit status.
func serving(t *testing.T, args ...string) (url string, out, errs *said, stop func() int) {
	t.Helper()
	out, errs = &said{}, &said{}
	ctx, cancel := context.WithCancel(context.Background())
	root := newRoot(&options{})
	root.SetContext(ctx)
	code := make(chan int, 1)
	go func() { code <- execute(root, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...), out, errs) }()
	address := regexp.MustCompile(`http://[0-9.:]+`)
	deadline := time.Now().Add(20 * time.Second)
	for url == "" && time.Now().Before(deadline) {
		select {
		case c := <-code:
			cancel()
			t.Fatalf("ended with %d: %s", c, errs)
		case <-time.After(5 * time.Millisecond):
			url = address.FindString(out.String())
		}
	}
	require.NotEmpty(t, url)
	var once sync.Once
	ended := 0
	stop = func() int {
		once.Do(func() {
			cancel()
			select {
			case ended = <-code:
			case <-time.After(20 * time.Second):
				t.Error("the command does not end")
			}
		})
		return ended
	}
	t.Cleanup(func() { stop() })
	return url, out, errs, stop
}

func TestServeSimulated(t *testing.T) {
	t.Setenv("TENSORFOLD_PREFILL_ORDER", "srpt")
	t.Setenv("TENSORFOLD_API_KEY", "secret")
	t.Setenv("TF_CPP_MIN_LOG_LEVEL", "3") // another program's
	dir := t.TempDir()
	events, record := filepath.Join(dir, "run.jsonl"), filepath.Join(dir, "run.record")
	url, out, errs, stop := serving(t, "--machine", "m5-ultra-512gb", "--speed", "200", "--parallel", "2",
		"--set", "TFSIM_PREFILL_PASSED_OVER=4", "--no-drafts", "--events", events, "--record", record)
	require.Equal(t, 1, strings.Count(out.String(), "\n"))
	for _, want := range []string{"serving m5-ultra-512gb at http://127.0.0.1:", "200 times", "2 lanes", "prompts in steps", "no drafts", "exact"} {
		require.Contains(t, out.String(), want)
	}
	req, err := http.NewRequest("POST", url+"/v1/chat/completions", strings.NewReader(
		`{"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 40, "ignore_eos": true}`))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer secret")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 200, resp.StatusCode, string(body))
	var reply struct {
		Choices []struct{ Message struct{ Content string } }
		Tfsim   struct{ Exact bool }
	}
	require.NoError(t, json.Unmarshal(body, &reply))
	require.Greater(t, len(strings.Fields(reply.Choices[0].Message.Content)), 20)
	require.True(t, reply.Tfsim.Exact)
	require.Equal(t, 0, stop(), errs)

	f, err := os.Open(events)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	last := core.EventWait
	require.NoError(t, result.ReadJSONL(f, func(l *result.Line) error { last = l.Kind; return nil }))
	require.Equal(t, core.EventFinished, last)

	var again, wrong bytes.Buffer
	require.Equal(t, 0, Execute([]string{"replay", record}, &again, &wrong), wrong.String())
	require.Contains(t, again.String(), "decisions, all as recorded")
	require.Equal(t, 2, Execute([]string{"replay", events}, &again, &wrong))
	require.Contains(t, wrong.String(), "no record")

	// Both are traces: one request that got what it asked for.
	for _, file := range []string{events, record} {
		d := replayed(t, onM5, "--per-request", file)
		require.Equal(t, 1, d.Results[0].Totals.Done)
		require.Len(t, d.Results[0].Requests, 1)
		require.NotContains(t, strings.Join(d.Results[0].Notes, ""), "recording", "nothing of it is left out")
	}
}

// Settings changed while it runs are recorded, and the record replays.
func TestServeChanges(t *testing.T) {
	record := filepath.Join(t.TempDir(), "run.record")
	url, _, errs, stop := serving(t, "--machine", "m5-ultra-512gb", "--speed", "200", "--parallel", "2", "--allow-changes",
		"--set", "TF_DSV41_PREFILL_PIECES=1", "--record", record)
	post := func(path, body string) string {
		resp, err := http.Post(url+path, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		said, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, 200, resp.StatusCode, string(said))
		return string(said)
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { post("/v1/completions", `{"prompt": "go on", "max_tokens": 200, "ignore_eos": true}`) })
	}
	for _, share := range []string{"0.3", "0.9"} {
		require.JSONEq(t, `{"notes": []}`, post("/settings", `{"TENSORFOLD_PREFILL_SHARE": "`+share+`"}`))
	}
	require.Contains(t, post("/settings", `{"TFSIM_DRAFT_RULE": "measured", "TENSORFOLD_PREFIX_WAIT_MS": "5"}`), "no prompt states are kept")
	all.Wait()
	require.Equal(t, 0, stop(), errs)
	text, err := os.ReadFile(record)
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(text), `"change":`))
	var out, wrong bytes.Buffer
	require.Equal(t, 0, Execute([]string{"replay", record}, &out, &wrong), wrong.String())
	out.Reset()
	require.Equal(t, 0, Execute([]string{"replay", record, "--set", "TF_DSV41_DRAFTS=0", "--json"}, &out, &wrong), wrong.String())
	var d struct {
		Results []struct {
			Arm    string
			Totals struct{ Drafted int }
			Notes  []string
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &d))
	require.Equal(t, "as it was", d.Results[0].Arm)
	require.Contains(t, d.Results[0].Notes[0], "changed 3 times")
	require.Positive(t, d.Results[0].Totals.Drafted)
	require.Equal(t, "TF_DSV41_DRAFTS=0", d.Results[1].Arm)
	require.Zero(t, d.Results[1].Totals.Drafted)
	require.Equal(t, "measured", d.Results[2].Arm)
	out.Reset()
	require.Equal(t, 0, Execute([]string{"compare", record}, &out, &wrong), wrong.String())
	require.Contains(t, out.String(), "costs: the record's own\nsettings were changed 3 times while it ran: simulated with those at its start\n")
	require.Contains(t, out.String(), "median error")
	require.Regexp(t, `(?m)^work, measured over priced: rounds \d+\.\d\d, steps \d+\.\d\d`, out.String())
	out.Reset()
	require.Equal(t, 0, Execute([]string{"replay", record, "--set", "TF_DSV41_DRAFTS=0"}, &out, &wrong), wrong.String())
	require.Contains(t, out.String(), "  as it was: settings were changed 3 times while it ran: simulated with those at its start\n")
	// A record without its end says how far it goes.
	cut := filepath.Join(t.TempDir(), "cut.record")
	last := strings.LastIndex(strings.TrimSpace(string(text)), "\n") + 1
	short := fmt.Sprintf("the record is cut short after line %d, at ", strings.Count(string(text[:last]), "\n"))
	for _, end := range []int{last, last + 5} {
		require.NoError(t, os.WriteFile(cut, text[:end], 0o600))
		for _, args := range [][]string{{"replay", cut}, {"compare", cut}, {"replay", cut, "--set", "TF_DSV41_DRAFTS=0"}} {
			out.Reset()
			require.Equal(t, 0, Execute(args, &out, &wrong), wrong.String())
			require.Contains(t, out.String(), short, args)
		}
	}
	require.Equal(t, 0, Execute([]string{"compare", record, "--machine", "recorded", "--json"}, &out, &wrong), wrong.String())
	foreign := filepath.Join(t.TempDir(), "foreign.jsonl")
	require.NoError(t, os.WriteFile(foreign, []byte(`{"config": {"Lanes": 1}, "note": 7}`), 0o600))
	mistyped := filepath.Join(t.TempDir(), "mistyped.jsonl")
	require.NoError(t, os.WriteFile(mistyped, append(text[:last:last], `{"at": "x"}`...), 0o600))
	for want, args := range map[string][]string{
		"want NAME=VALUE":                {"replay", record, "--set", "x"},
		"nearest":                        {"replay", record, "--set", "TFSIM_STEP_ROW=3"},
		"unknown machine":                {"compare", record, "--machine", "abacus"},
		"are for --set":                  {"replay", record, "--json"},
		"give one record":                {"compare"},
		"the record's note does not say": {"replay", foreign},
		"mistyped.jsonl: line ":          {"replay", mistyped},
		"mistyped.jsonl: line":           {"compare", mistyped},
	} {
		wrong.Reset()
		require.Equal(t, 2, Execute(args, &out, &wrong), want)
		require.Contains(t, wrong.String(), want)
	}
}

// What cannot be served stops the start with one line and status 2.
func TestServeErrors(t *testing.T) {
	dir := t.TempDir()
	open := filepath.Join(dir, "open")
	require.NoError(t, os.WriteFile(open, []byte("key\n"), 0o644))
	empty := filepath.Join(dir, "empty")
	require.NoError(t, os.WriteFile(empty, []byte("# none\n"), 0o600))
	machine := []string{"--machine", "m5-ultra-512gb"}
	for want, args := range map[string][]string{
		"give --machine":           nil,
		"unknown machine":          {"--machine", "abacus"},
		"not this machine's":       append(machine, "--addr", "0.0.0.0:0"),
		"want HOST:PORT":           append(machine, "--addr", "8080"),
		"--speed 0":                append(machine, "--speed", "0"),
		"no text of kind":          append(machine, "--load", "poetry"),
		"nearest":                  append(machine, "--set", "TENSORFOLD_PREFIL_SHARE=1"),
		"want NAME=VALUE":          append(machine, "--set", "x"),
		"TENSORFOLD_PREFILL_SHARE": append(machine, "--set", "TENSORFOLD_PREFILL_SHARE=7"),
		"at least 1 or auto":       append(machine, "--parallel", "0"),
		"the device has 16":        append(machine, "--set", "TF_DSV41_ROWS_CAP=64"),
		"readable by others":       append(machine, "--api-key-file", open),
		"has no key":               append(machine, "--api-key-file", empty),
		"no such file":             {"--model", filepath.Join(dir, "none.gguf")},
		"--exact is for --model":   append(machine, "--exact", "maybe"),
		"--drafter is for --model": append(machine, "--drafter", "none"),
		"--threads is for --model": append(machine, "--threads", "0"),
		"--warm-up is for --model": append(machine, "--warm-up=false"),
		"--speed is for a sim":     {"--model", filepath.Join(dir, "none.gguf"), "--speed", "2"},
		"--grace -1s":              append(machine, "--grace", "-1s"),
		"--grace 0s":               append(machine, "--grace", "0"),
		"--device-timeout is for ": append(machine, "--device-timeout", "1m"),
		"--device-timeout 10ms: want at least 1s, or 0 for never": {"--model", "x", "--device-timeout", "10ms"},
		"--device-timeout -1s: want":                              {"--model", "x", "--device-timeout", "-1s"},
	} {
		out, errs := &said{}, &said{}
		root := newRoot(&options{})
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		root.SetContext(ctx)
		require.Equal(t, 2, execute(root, append([]string{"serve"}, args...), out, errs), want)
		cancel()
		require.Contains(t, errs.String(), want)
		require.Equal(t, 1, strings.Count(errs.String(), "\n"), errs)
		require.Empty(t, out.String())
	}
}

func TestIsSetting(t *testing.T) {
	for name, want := range map[string]bool{
		"TENSORFOLD_PREFILL_SHARE": true, "TF_DSV41_DRAFTS": true, "TFSIM_QUEUE": true, "TFSIM_TYPO": true, "TF_DSV41_TYPO": true,
		"TFSIM_TOOL_COLOR": false, "TFSIM_LLAMA": false, "TFSIM_LLAMA_LIB": false, "TFSIM_API_KEY": false, "TF_CPP_MIN_LOG_LEVEL": false, "PATH": false,
	} {
		require.Equal(t, want, isSetting(name), name)
	}
}
