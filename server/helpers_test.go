package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
)

type line struct{}

func (line) Round(s core.Shape) core.Nanos { return 1_000_000 * core.Nanos(3+s.Rows) }

func (line) Pass(a core.Asked) core.Nanos { return 100_000 * core.Nanos(a.Asks) }

func (line) Cheapest(s core.Shape) core.Shape { return s }

// running is a server on a fake device.
type running struct {
	url    string
	live   *engine.Live
	client openai.Client
	stop   context.CancelFunc
	ended  chan error
}

// spoken is a device whose tokens are text.
type spoken interface {
	device.Device
	device.Tokenizer
}

func serve(t testing.TB, d spoken, change func(*engine.Options, *server.Options)) *running {
	t.Helper()
	before := runtime.NumGoroutine()
	c := core.DefaultConfig()
	c.Lanes, c.LaunchRows, c.Block = d.Info().Slots, d.Info().Shapes.LaunchRows, d.Info().DraftDepth
	c.PlainStreams, c.Prices, c.Queue = 0, line{}, 100
	c.Steps, c.StepRows, c.PromptShare = true, 64, 500_000
	e := engine.Options{Config: c, RestartPause: time.Millisecond}
	o := server.Options{Tokenizer: d, Model: "fake", Grace: 5 * time.Second}
	if change != nil {
		change(&e, &o)
	}
	l, err := engine.Start(d, e)
	require.NoError(t, err)
	o.Live = l
	s, err := server.New(o)
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	r := &running{url: "http://" + listener.Addr().String(), live: l, stop: stop, ended: make(chan error, 1)}
	transport := &http.Transport{}
	r.client = openai.NewClient(option.WithBaseURL(r.url+"/v1"), option.WithAPIKey("key"), option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{Transport: transport}))
	go func() { r.ended <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		http.DefaultClient.CloseIdleConnections()
		stop()
		select {
		case err := <-r.ended:
			require.NoError(t, err)
		case <-time.After(20 * time.Second):
			t.Error("the server does not end")
		}
		for range 400 {
			if runtime.NumGoroutine() <= before {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		stacks := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
	})
	return r
}

func (r *running) post(t testing.TB, path, body string) (int, http.Header, map[string]any) {
	t.Helper()
	resp, err := http.Post(r.url+path, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	var v map[string]any
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&v))
	return resp.StatusCode, resp.Header, v
}

func hello(text string, most int64) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model: "fake", MaxCompletionTokens: openai.Int(most), Seed: openai.Int(7),
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage("Be brief."), openai.UserMessage(text)},
	}
}

// about is the block that a reply has of itself.
func about(t testing.TB, raw string) (v struct {
	SHA      string `json:"token_sha"`
	Exact    bool   `json:"exact"`
	Rounds   int    `json:"rounds"`
	Drafted  int    `json:"drafted"`
	Accepted int    `json:"accepted"`
}) {
	t.Helper()
	var all struct {
		About json.RawMessage `json:"tfsim"`
	}
	require.NoError(t, json.Unmarshal([]byte(raw), &all))
	require.NoError(t, json.Unmarshal(all.About, &v), raw)
	return v
}

// recorder is a minimal response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newRecorder() *recorder { return &recorder{header: http.Header{}} }

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) { r.status = status }

func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }

func (r *recorder) Flush() {}
