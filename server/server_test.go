package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
	"github.com/tfsim/tfsim/tui/live"
)

type line struct{}

func (line) Round(s core.Shape) core.Nanos    { return 1_000_000 * core.Nanos(3+s.Rows) }
func (line) Pass(asks, _ int) core.Nanos      { return 100_000 * core.Nanos(asks) }
func (line) Cheapest(s core.Shape) core.Shape { return s }

// running is a server on a fake device.
type running struct {
	url    string
	live   *engine.Live
	client openai.Client
	stop   context.CancelFunc
	ended  chan error
}

func serve(t testing.TB, d *fake.Device, change func(*engine.Options, *server.Options)) *running {
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

func TestChat(t *testing.T) {
	r := serve(t, fake.Open(fake.Options{}), nil)
	ctx := context.Background()
	whole, err := r.client.Chat.Completions.New(ctx, hello("How are you?", 40))
	require.NoError(t, err)
	require.Len(t, whole.Choices, 1)
	require.Equal(t, "length", whole.Choices[0].FinishReason)
	require.Len(t, whole.Choices[0].Message.Content, 40)
	require.EqualValues(t, 40, whole.Usage.CompletionTokens)
	require.Equal(t, whole.Usage.TotalTokens, whole.Usage.PromptTokens+40)
	a := about(t, whole.RawJSON())
	require.True(t, a.Exact)
	require.Len(t, a.SHA, 64)
	require.Positive(t, a.Accepted)

	// The same as a stream, undrafted, and beside others: the same tokens.
	p := hello("How are you?", 40)
	p.StreamOptions.IncludeUsage = openai.Bool(true)
	p.SetExtraFields(map[string]any{"draft": false})
	stream := r.client.Chat.Completions.NewStreaming(ctx, p)
	var text, sha string
	var usage int64
	ends := 0
	for stream.Next() {
		c := stream.Current()
		if len(c.Choices) == 0 {
			usage = c.Usage.CompletionTokens
			continue
		}
		text += c.Choices[0].Delta.Content
		if c.Choices[0].FinishReason != "" {
			ends++
			b := about(t, c.RawJSON())
			sha = b.SHA
			require.Zero(t, b.Drafted)
		}
	}
	require.NoError(t, stream.Err())
	require.Equal(t, whole.Choices[0].Message.Content, text)
	require.Equal(t, a.SHA, sha)
	require.EqualValues(t, 40, usage)
	require.Equal(t, 1, ends)
}

func TestCompletion(t *testing.T) {
	r := serve(t, fake.Open(fake.Options{Ends: true}), func(e *engine.Options, _ *server.Options) { e.CacheBytes = 1 << 20 })
	ctx := context.Background()
	p := openai.CompletionNewParams{
		Model: "fake", MaxTokens: openai.Int(30), Temperature: openai.Float(0),
		Prompt: openai.CompletionNewParamsPromptUnion{OfString: openai.String(strings.Repeat("Once upon a time ", 10))},
	}
	first, err := r.client.Completions.New(ctx, p)
	require.NoError(t, err)
	require.Zero(t, first.Usage.PromptTokensDetails.CachedTokens)
	// The same prompt as token ids starts from the kept state.
	_, _, tokens := r.post(t, "/tokenize", fmt.Sprintf(`{"content": %q}`, p.Prompt.OfString.Value))
	ids := make([]int64, 0, 170)
	for _, id := range tokens["tokens"].([]any) {
		ids = append(ids, int64(id.(float64)))
	}
	p.Prompt = openai.CompletionNewParamsPromptUnion{OfArrayOfTokens: ids}
	second, err := r.client.Completions.New(ctx, p)
	require.NoError(t, err)
	require.Equal(t, first.Choices[0].Text, second.Choices[0].Text)
	require.EqualValues(t, len(ids)-1, second.Usage.PromptTokensDetails.CachedTokens)
	_, _, text := r.post(t, "/detokenize", `{"tokens": `+strings.ReplaceAll(fmt.Sprint(ids), " ", ",")+`}`)
	require.Equal(t, strings.Repeat("Once upon a time ", 10), text["content"])

	// A stop text ends it, and is not part of it, whole and as a stream.
	want := first.Choices[0].Text
	at := 12
	p.Stop = openai.CompletionNewParamsStopUnion{OfStringArray: []string{"\x01never", want[at : at+3]}}
	at = strings.Index(want, want[at:at+3])
	stopped, err := r.client.Completions.New(ctx, p)
	require.NoError(t, err)
	require.Equal(t, want[:at], stopped.Choices[0].Text)
	require.EqualValues(t, "stop", stopped.Choices[0].FinishReason)
	require.EqualValues(t, at+3, stopped.Usage.CompletionTokens)
	stream := r.client.Completions.NewStreaming(ctx, p)
	got := ""
	for stream.Next() {
		got += stream.Current().Choices[0].Text
	}
	require.NoError(t, stream.Err())
	require.Equal(t, want[:at], got)
}

func TestErrors(t *testing.T) {
	r := serve(t, fake.Open(fake.Options{Context: 200}), func(_ *engine.Options, o *server.Options) { o.BodyLimit = 4096 })
	chat := func(more string) string { return `{"messages": [{"role": "user", "content": "x"}], ` + more + `}` }
	for _, k := range []struct {
		path, body, param, code string
		status                  int
		says                    string
	}{
		{"/v1/chat/completions", `{`, "", "", 400, "no JSON object"},
		{"/v1/chat/completions", `null`, "", "", 400, "JSON object"},
		{"/v1/chat/completions", `{} {}`, "", "", 400, "more than one"},
		{"/v1/chat/completions", `{}`, "messages", "", 400, "missing"},
		{"/v1/chat/completions", `{"messages": []}`, "messages", "", 400, "at least one"},
		{"/v1/chat/completions", `{"messages": [{"role": "cat", "content": ""}]}`, "messages[0].role", "", 400, "want system"},
		{"/v1/chat/completions", `{"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}`, "messages[0].content", "", 400, "type text"},
		{"/v1/chat/completions", chat(`"temperature": 3`), "temperature", "", 400, "0 to 2"},
		{"/v1/chat/completions", chat(`"temperature": "warm"`), "temperature", "", 400, "want a number"},
		{"/v1/chat/completions", chat(`"max_tokens": 0`), "max_tokens", "", 400, "want a whole number"},
		{"/v1/chat/completions", chat(`"n": 2`), "n", "", 400, "only 1"},
		{"/v1/chat/completions", chat(`"stop": [""]`), "stop", "", 400, "1 to 256"},
		{"/v1/chat/completions", chat(`"priority": "high"`), "priority", "", 400, "background"},
		{"/v1/chat/completions", chat(`"stream_options": {}`), "stream_options", "", 400, "stream: true"},
		{"/v1/chat/completions", chat(`"max_tokns": 5`), "max_tokns", "", 400, "no such field"},
		{"/v1/chat/completions", chat(`"model": "gpt"`), "model", "model_not_found", 404, "has fake"},
		{"/v1/chat/completions", chat(`"max_tokens": 500`), "messages", "context_length_exceeded", 400, "context 200"},
		{"/v1/completions", `{"prompt": [1, 97]}`, "prompt", "", 400, "vocabulary"},
		{"/v1/completions", `{"prompt": ["a", "b"]}`, "prompt", "", 400, "one prompt"},
		{"/v1/completions", `{"prompt": [1], "max_tokens": 500}`, "prompt", "context_length_exceeded", 400, "context 200"},
		{"/v1/completions", `{"prompt": "` + strings.Repeat("x", 5000) + `"}`, "", "", 413, "4096 bytes"},
		{"/detokenize", `{"tokens": [-1]}`, "tokens", "", 400, "want 0 to 96"},
		{"/nowhere", `{}`, "", "", 404, "no such path"},
		{"/v1/models", `{}`, "", "", 405, "takes GET"},
	} {
		status, _, v := r.post(t, k.path, k.body)
		e, ok := v["error"].(map[string]any)
		require.True(t, ok, k.body)
		require.Equal(t, k.status, status, "%s: %v", k.body, e)
		require.Contains(t, e["message"], k.says)
		require.Equal(t, "invalid_request_error", e["type"])
		for name, want := range map[string]string{"param": k.param, "code": k.code} {
			if want == "" {
				require.Nil(t, e[name], k.body)
			} else {
				require.Equal(t, want, e[name], k.body)
			}
		}
	}
	_, err := r.client.Chat.Completions.New(context.Background(), hello("x", 1000))
	var failure *openai.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, "context_length_exceeded", failure.Code)
	require.Equal(t, 400, failure.StatusCode)
}

func TestKeys(t *testing.T) {
	r := serve(t, fake.Open(fake.Options{}), func(_ *engine.Options, o *server.Options) { o.Keys = []string{"other", "key"} })
	_, err := r.client.Models.List(context.Background())
	require.NoError(t, err)
	for _, header := range []string{"", "Bearer nonsense", "key"} {
		req, _ := http.NewRequest("GET", r.url+"/v1/models", nil)
		req.Header.Set("Authorization", header)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		_ = resp.Body.Close()
		require.Equal(t, 401, resp.StatusCode, header)
	}
	resp, err := http.Get(r.url + "/health")
	require.NoError(t, err)
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	require.JSONEq(t, `{"status": "ok"}`, string(body))
}

// A full server says so; a client that leaves frees its place.
func TestFullAndGone(t *testing.T) {
	gate := make(chan struct{})
	var open atomic.Bool
	d := fake.Open(fake.Options{Slots: 1, OnCall: func(string) error {
		if !open.Load() {
			<-gate
		}
		return nil
	}})
	r := serve(t, d, func(e *engine.Options, _ *server.Options) { e.Config.Queue = 1 })
	ctx, leave := context.WithCancel(context.Background())
	var gone sync.WaitGroup
	for range 2 {
		gone.Go(func() {
			_, err := r.client.Chat.Completions.New(ctx, hello("x", 3000))
			require.ErrorIs(t, err, context.Canceled)
		})
	}
	require.Eventually(t, func() bool { return r.live.Stats().InFlight == 2 }, 5*time.Second, time.Millisecond)
	status, header, v := r.post(t, "/v1/completions", `{"prompt": "x"}`)
	require.Equal(t, 503, status)
	require.Equal(t, "1", header.Get("Retry-After"))
	require.Equal(t, "server_full", v["error"].(map[string]any)["code"])
	leave()
	gone.Wait()
	open.Store(true)
	close(gate)
	require.Eventually(t, func() bool { return r.live.Stats().InFlight == 0 }, 5*time.Second, time.Millisecond)
	require.EqualValues(t, 2, r.live.Stats().Cancelled)
	_, err := r.client.Chat.Completions.New(context.Background(), hello("x", 10))
	require.NoError(t, err)
}

// A device that fails for good: 500 before the first token, an error in the
// stream after it.
func TestDeviceFails(t *testing.T) {
	var fails atomic.Bool
	d := fake.Open(fake.Options{OnCall: func(name string) error {
		switch {
		case fails.Load():
			return fmt.Errorf("%w: on fire", device.ErrLost)
		case name == "verify":
			time.Sleep(time.Millisecond)
		}
		return nil
	}})
	r := serve(t, d, nil)
	stream := r.client.Chat.Completions.NewStreaming(context.Background(), hello("x", 3000))
	require.True(t, stream.Next())
	fails.Store(true)
	for stream.Next() {
	}
	require.ErrorContains(t, stream.Err(), "on fire")
	_, err := r.client.Chat.Completions.New(context.Background(), hello("x", 10))
	var failure *openai.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, 500, failure.StatusCode)
	require.Equal(t, "device_failed", failure.Code)
}

// Told to end, the server finishes what runs and takes nothing new.
func TestShutdown(t *testing.T) {
	d := fake.Open(fake.Options{OnCall: func(string) error { time.Sleep(300 * time.Microsecond); return nil }})
	r := serve(t, d, nil)
	p := hello("x", 300)
	stream := r.client.Chat.Completions.NewStreaming(context.Background(), p)
	require.True(t, stream.Next())
	r.stop()
	require.Eventually(t, func() bool {
		_, err := r.client.Chat.Completions.New(context.Background(), p)
		return err != nil
	}, 2*time.Second, time.Millisecond)
	text := ""
	last := ""
	for stream.Next() {
		text += stream.Current().Choices[0].Delta.Content
		last = stream.Current().Choices[0].FinishReason
	}
	require.NoError(t, stream.Err())
	require.Equal(t, "length", last)
	require.NotEmpty(t, text)
	r.ended <- <-r.ended
}

// The dashboard's feed reads the events, also of what began before it.
func TestEvents(t *testing.T) {
	d := fake.Open(fake.Options{OnCall: func(string) error { time.Sleep(200 * time.Microsecond); return nil }})
	r := serve(t, d, nil)
	stream := r.client.Chat.Completions.NewStreaming(context.Background(), hello("x", 800))
	require.True(t, stream.Next())
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	feed, err := live.Open(ctx, r.url)
	require.NoError(t, err)
	seen := map[core.EventKind]int{}
	for seen[core.EventFinished] == 0 {
		news, ok := feed.Take(ctx)
		require.True(t, ok)
		require.Zero(t, news.Unread)
		for _, l := range news.Lines {
			seen[l.Kind]++
		}
		for seen[core.EventRound] > 10 && stream.Next() {
		}
	}
	require.NoError(t, stream.Err())
	require.Equal(t, 1, seen[core.EventSubmitted])
	require.Equal(t, 1, seen[core.EventAdmitted])
	require.Positive(t, seen[core.EventTokens])
	stop()
}

func TestMetricsAndHealth(t *testing.T) {
	r := serve(t, fake.Open(fake.Options{}), nil)
	_, err := r.client.Chat.Completions.New(context.Background(), hello("x", 25))
	require.NoError(t, err)
	resp, err := http.Get(r.url + "/metrics")
	require.NoError(t, err)
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	for _, want := range []string{
		"\ntfsim:generation_tokens_total 25\n", "\nvllm:generation_tokens_total 25\n", "\ntfsim:requests_running 0\n",
		"\nvllm:num_requests_waiting 0\n", "\ntfsim:requests_finished_total 1\n", "\ntfsim:time_to_first_token_seconds_count 1\n",
	} {
		require.Contains(t, string(body), want)
	}
	resp, err = http.Get(r.url + "/health")
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	var v map[string]any
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&v))
	require.Equal(t, "ok", v["status"])
	require.Equal(t, false, v["busy"])
}

// A thousand clients who read slowly or leave: others are served meanwhile,
// and nothing is left of them.
func TestVanishingClients(t *testing.T) {
	clients := 1000
	if testing.Short() {
		clients = 100
	}
	r := serve(t, fake.Open(fake.Options{}), func(e *engine.Options, o *server.Options) {
		e.Config.Queue = 0
		o.Patience = 2 * time.Second
	})
	body := `{"messages": [{"role": "user", "content": "go on"}], "stream": true, "max_tokens": 200}`
	request := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	address := strings.TrimPrefix(r.url, "http://")
	limit := make(chan struct{}, 200)
	var all sync.WaitGroup
	for i := range clients {
		limit <- struct{}{}
		all.Go(func() {
			defer func() { <-limit }()
			c, err := net.Dial("tcp", address)
			require.NoError(t, err)
			defer func() { _ = c.Close() }()
			_, _ = io.WriteString(c, request[:len(request)-i%2*10]) // every other body is cut short
			if i%3 == 0 {
				_, _ = bufio.NewReader(c).ReadString('\n')
			}
			time.Sleep(time.Duration(i%7) * time.Millisecond)
		})
	}
	_, err := r.client.Chat.Completions.New(context.Background(), hello("x", 50))
	require.NoError(t, err)
	all.Wait()
	require.Eventually(t, func() bool { return r.live.Stats().InFlight == 0 }, 10*time.Second, 5*time.Millisecond)
}

// Whatever the body, the answer is JSON with a status, and the server lives.
func FuzzBodies(f *testing.F) {
	for _, s := range []string{
		`{"messages": [{"role": "user", "content": "x"}], "max_tokens": 3, "stop": "a"}`,
		`{"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}], "stream": true, "max_tokens": 1}`,
		`{"prompt": [1, 2], "max_tokens": 2, "seed": -9223372036854775808, "top_k": -1}`,
		`{"prompt": ["x"], "stream_options": {"include_usage": 3}}`, `[]`, `{"prompt": [[]]}`, `{"prompt": null}`,
	} {
		f.Add(s)
	}
	d := fake.Open(fake.Options{Context: 64, Ends: true})
	c := core.DefaultConfig()
	c.Lanes, c.LaunchRows, c.Block, c.Prices = 4, 64, 8, line{}
	l, err := engine.Start(d, engine.Options{Config: c})
	require.NoError(f, err)
	f.Cleanup(func() { _ = l.Close() })
	s, err := server.New(server.Options{Live: l, Tokenizer: d, Model: "fake"})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, body string) {
		for _, path := range []string{"/v1/chat/completions", "/v1/completions", "/tokenize", "/detokenize"} {
			w := newRecorder()
			req, err := http.NewRequest("POST", path, strings.NewReader(body))
			require.NoError(t, err)
			s.ServeHTTP(w, req)
			require.GreaterOrEqual(t, w.status, 200, body)
			if w.status >= 500 {
				t.Fatalf("%s: %d %s", path, w.status, w.body.String())
			}
			if !bytes.HasPrefix(w.body.Bytes(), []byte("data:")) {
				require.True(t, json.Valid(w.body.Bytes()))
			}
		}
		select {
		case <-l.Stopped():
			t.Fatal(errors.Join(errors.New("the engine stopped"), l.Err()))
		default:
		}
	})
}

// recorder is a minimal response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newRecorder() *recorder { return &recorder{header: http.Header{}} }

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }
func (r *recorder) Flush()                      {}
