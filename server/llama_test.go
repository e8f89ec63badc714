package server_test

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/llamacpp/libs"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
)

// demo plays at full size what is worth printing.
var demo = flag.Bool("demo", false, "play the demonstrations on the demo pair at full size")

// pair serves the demo pair through llama.cpp.
func pair(t testing.TB, change func(*core.Config)) (openai.Client, *llamacpp.Device, *engine.Live) {
	t.Helper()
	lib, err := libs.Find("")
	if err != nil {
		t.Skipf("no llama.cpp here: %v", err)
	}
	program := os.Getenv(llamacpp.ProgramEnv)
	if program == "" {
		program = filepath.Join(t.TempDir(), llamacpp.Program)
		cmd := exec.Command("go", "build", "-o", program, "github.com/tfsim/tfsim/cmd/tfsim-llama")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	o := llamacpp.Options{Settings: llamacpp.Defaults(), Program: program}
	const models = "../device/llamacpp/testdata/models/"
	o.Library, o.Model, o.Drafter, o.GPULayers = lib, models+"target-q8_0.gguf", models+"draft-q8_0.gguf", 0
	o.Context = 8400
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	d, err := llamacpp.Open(ctx, o)
	if err != nil && strings.Contains(err.Error(), "libffi") {
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Close() })

	c := core.DefaultConfig()
	i := d.Info()
	c.Lanes, c.LaunchRows, c.Block, c.PlainStreams = i.Slots, i.Shapes.LaunchRows, i.DraftDepth, 0
	for c.DraftDepth > 0 && runtime.GOARCH == "amd64" && !i.Holds(1+c.DraftDepth) {
		c.DraftDepth--
	}
	c.Prices, err = (&costmodel.Table{}).Belief(costmodel.BeliefDefault)
	require.NoError(t, err)
	c.Rule, c.Steps, c.StepRows, c.PromptShare = core.RuleMeasured, true, 128, 250_000
	if change != nil {
		change(&c)
	}
	live, err := engine.Start(d, engine.Options{Config: c})
	require.NoError(t, err)
	s, err := server.New(server.Options{Live: live, Tokenizer: d, Model: "pair"})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		end()
		require.NoError(t, <-ended)
	})
	transport := &http.Transport{MaxConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return openai.NewClient(option.WithBaseURL("http://"+listener.Addr().String()+"/v1"), option.WithAPIKey("key"),
		option.WithMaxRetries(0), option.WithHTTPClient(&http.Client{Transport: transport})), d, live
}

var beginnings = []string{
	"func main() {\n\tfmt.Println(", "package http\n\nimport (", "The following example shows how to", "SELECT * FROM",
	"// Read reads up to len(b) bytes from the", "for i := range n {\n\tif x[i] < ", "A list is a mutable sequence, typically used to store",
}

func piece(i int) openai.CompletionNewParams {
	p := openai.CompletionNewParams{
		Model: "pair", MaxTokens: openai.Int(int64(10 + i*7%60)), Temperature: openai.Float(0), Seed: openai.Int(int64(i)),
		Prompt: openai.CompletionNewParamsPromptUnion{OfString: openai.String(strings.Repeat(beginnings[i%len(beginnings)]+" ", 1+i%9))},
	}
	if i%2 == 1 {
		p.Temperature = openai.Float(0.8)
	}
	return p
}

// Mixed requests, some given up, and the process of the device killed in the
// middle: every reply that ends has the tokens that it has alone, undrafted.
func TestModelCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("a quarter of a minute")
	}
	client, d, live := pair(t, func(c *core.Config) { c.Rule, c.Depth = core.RuleEarlier, core.DepthStatic })
	ctx := context.Background()
	const kinds, requests = 40, 200
	want := make([]string, kinds)
	for i := range want {
		p := piece(i)
		p.SetExtraFields(map[string]any{"draft": false})
		alone, err := client.Completions.New(ctx, p)
		require.NoError(t, err)
		a := about(t, alone.RawJSON())
		require.Equal(t, runtime.GOARCH == "amd64", a.Exact)
		want[i] = a.SHA
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("nothing is promised here")
	}
	started := time.Now()
	var all sync.WaitGroup
	var finished, drafted int
	var mu sync.Mutex
	lanes := make(chan struct{}, 12)
	for i := range requests {
		if i == 60 || i == 130 {
			p, err := os.FindProcess(d.PID())
			require.NoError(t, err)
			require.NoError(t, p.Kill())
		}
		lanes <- struct{}{}
		all.Go(func() {
			defer func() { <-lanes }()
			ctx, leave := context.WithCancel(ctx)
			defer leave()
			if i%8 == 3 {
				time.AfterFunc(time.Duration(i)*50*time.Microsecond, leave)
			}
			reply, err := client.Completions.New(ctx, piece(i%kinds))
			if ctx.Err() != nil {
				return
			}
			require.NoError(t, err)
			a := about(t, reply.RawJSON())
			require.Equal(t, want[i%kinds], a.SHA, "request %d", i)
			mu.Lock()
			finished++
			drafted += a.Drafted
			mu.Unlock()
		})
	}
	all.Wait()
	s := live.Stats()
	require.EqualValues(t, 2, s.Restarts)
	require.Greater(t, drafted, 1000)
	require.GreaterOrEqual(t, finished, requests*3/4)
	t.Logf("%d of %d replies in %s, %d tokens, %d of %d drafts kept, %d slots lost", finished, requests,
		time.Since(started).Round(time.Millisecond), s.Tokens, s.Accepted, s.Drafted, s.Losses)
}

// A long prompt (8,192 tokens with -demo) beside a reply of 64: in pieces the reply hardly
// waits, whole it waits for all of it.
func TestModelLongPrompt(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	rows := 2048
	if *demo {
		rows = 8192
	}
	ids := make([]int64, rows)
	for i := range ids {
		ids[i] = int64(1 + (i*i+7*i)%4000)
	}
	long := openai.CompletionNewParams{Model: "pair", MaxTokens: openai.Int(2),
		Prompt: openai.CompletionNewParamsPromptUnion{OfArrayOfTokens: ids}}
	short := piece(0)
	short.MaxTokens = openai.Int(64)
	short.SetExtraFields(map[string]any{"ignore_eos": true})
	type run struct{ gap, done, first time.Duration }
	play := func(t *testing.T, change func(*core.Config), alone bool) (r run) {
		client, _, _ := pair(t, change)
		ctx := context.Background()
		var both sync.WaitGroup
		if !alone {
			s := client.Completions.NewStreaming(ctx, short)
			require.True(t, s.Next())
			started := time.Now()
			last := started
			both.Go(func() {
				for s.Next() {
					r.gap = max(r.gap, time.Since(last))
					last = time.Now()
				}
				require.NoError(t, s.Err())
				r.done = last.Sub(started)
			})
		}
		sent := time.Now()
		stream := client.Completions.NewStreaming(ctx, long)
		require.True(t, stream.Next(), stream.Err())
		r.first = time.Since(sent)
		for stream.Next() {
		}
		both.Wait()
		return r
	}
	got := map[string]run{}
	for name, change := range map[string]func(*core.Config){
		"alone":     nil,
		"in pieces": func(c *core.Config) { c.StepRows = 128 },
		"whole":     func(c *core.Config) { c.Steps, c.PromptShare = false, core.Whole },
	} {
		t.Run(name, func(t *testing.T) { got[name] = play(t, change, name == "alone") })
	}
	for name, r := range got {
		t.Logf("%-9s largest gap %8s, reply done %8s, long prompt's first token %8s", name,
			r.gap.Round(time.Millisecond), r.done.Round(time.Millisecond), r.first.Round(time.Millisecond))
	}
}

// Tokens per second of 1, 2 and 4 streams, drafted against undrafted: arms
// take turns, and each cell gives the best of three.
func TestModelDrafts(t *testing.T) {
	if !*demo {
		t.Skip("a minute; only with -demo")
	}
	client, _, _ := pair(t, nil)
	ctx := context.Background()
	rate := func(text string, temperature float64, streams, turn int, draft bool) float64 {
		const tokens = 250
		var all sync.WaitGroup
		started := time.Now()
		for k := range streams {
			p := openai.CompletionNewParams{
				Model: "pair", MaxTokens: openai.Int(tokens), Temperature: openai.Float(temperature), Seed: openai.Int(int64(100*turn + k)),
				Prompt: openai.CompletionNewParamsPromptUnion{OfString: openai.String(fmt.Sprintf("%s %d", text, 10*turn+k))},
			}
			p.SetExtraFields(map[string]any{"draft": draft, "ignore_eos": true})
			all.Go(func() {
				_, err := client.Completions.New(ctx, p)
				require.NoError(t, err)
			})
		}
		all.Wait()
		return float64(streams*tokens) / time.Since(started).Seconds()
	}
	t.Logf("%-22s %10s %10s %8s", "tokens/s", "undrafted", "drafted", "ratio")
	for _, text := range []struct{ kind, begins string }{{"code", "func main() {\n\tx :="}, {"prose", "The following section describes"}} {
		for _, temperature := range []float64{0, 0.8} {
			for _, streams := range []int{1, 2, 4} {
				var plain, drafted float64
				for turn := range 3 {
					plain = max(plain, rate(text.begins, temperature, streams, turn, false))
					drafted = max(drafted, rate(text.begins, temperature, streams, turn, true))
				}
				t.Logf("%-5s %d × temperature %.1f %10.0f %10.0f %8.2f", text.kind, streams, temperature, plain, drafted, drafted/plain)
			}
		}
	}
}
