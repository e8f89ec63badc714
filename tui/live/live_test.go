package live_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/tui/live"
	"github.com/tfsim/tfsim/tui/state"
)

func record(t testing.TB) []byte {
	data, err := os.ReadFile("../testdata/busy.jsonl")
	require.NoError(t, err)
	return data
}

// sse wraps each line as a server-sent event, with what else may be there.
func sse(data []byte) []byte {
	var b bytes.Buffer
	b.WriteString(": hello\nretry: 1000\n\n")
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		if i%100 == 7 {
			b.WriteString(": still here\n\n")
		}
		fmt.Fprintf(&b, "event: core\r\nid: %d\r\ndata: %s\r\n\r\n", i+1, line)
	}
	return b.Bytes()
}

// gather takes news until n lines are there.
func gather(t *testing.T, f *live.Feed, n int) (lines []result.Line, last live.News) {
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	for len(lines) < n {
		news, ok := f.Take(ctx)
		require.True(t, ok, "only %d lines came", len(lines))
		lines = append(lines, news.Lines...)
		last = news
	}
	return lines, last
}

func TestBothForms(t *testing.T) {
	data := record(t)
	want := bytes.Count(data, []byte("\n"))
	for name, body := range map[string][]byte{"lines": data, "sse": sse(data)} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/events" {
					http.NotFound(w, r)
					return
				}
				_, _ = w.Write(body)
				<-r.Context().Done()
			}))
			defer server.Close()
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			f, err := live.Open(ctx, server.URL)
			require.NoError(t, err)
			lines, news := gather(t, f, want)
			require.Len(t, lines, want)
			require.True(t, news.Connected)
			require.Zero(t, news.Unread)
			var got bytes.Buffer
			at := 0
			out := result.NewJSONL(&got, func(core.ID) string { return lines[at].Request })
			for at = range lines {
				out.Record(&lines[at].Event)
			}
			require.Equal(t, string(data), got.String())
			stop()
		})
	}
}

// Lines that are no event are counted, and none around them is lost.
func TestBadLines(t *testing.T) {
	lines := strings.SplitAfter(string(record(t)), "\n")
	bad := []string{"data: nonsense\n", "{\"event\":\"new kind\"}\n", "{\n", "data: {\"at_us\":1,\"event\":\"round\",\"extra\":1}\n", "<html>\n", strings.Repeat("x", 1<<18) + "\n"}
	var body strings.Builder
	for i, l := range lines {
		body.WriteString(l)
		if i < len(bad) {
			body.WriteString(bad[i])
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(body.String()))
		<-r.Context().Done()
	}))
	defer server.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	f, err := live.Open(ctx, server.URL+"/")
	require.NoError(t, err)
	got, news := gather(t, f, len(lines)-1)
	require.Len(t, got, len(lines)-1)
	require.Equal(t, len(bad), news.Unread)
	stop()
}

// A connection that ends is made again, with the last number given.
func TestReconnects(t *testing.T) {
	var calls atomic.Int32
	data := bytes.SplitAfter(record(t), []byte("\n"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/events" {
			http.NotFound(w, r)
			return
		}
		switch calls.Add(1) {
		case 1:
			http.Error(w, "not yet", http.StatusServiceUnavailable)
		case 2:
			_, _ = w.Write(sse(bytes.Join(data[:100], nil)))
		default:
			require.Equal(t, "100", r.Header.Get("Last-Event-ID"))
			_, _ = w.Write(sse(bytes.Join(data[100:200], nil)))
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	f, err := live.Open(ctx, server.URL)
	require.NoError(t, err)
	lines, news := gather(t, f, 200)
	require.Len(t, lines, 200)
	require.Equal(t, 2, news.Connects)
	stop()
}

// A server with keys is given one, for its counts too; without it the trouble
// says what is missing.
func TestKey(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		if r.URL.Path == "/metrics" {
			_, _ = w.Write([]byte("tfsim:lanes 2\n"))
			return
		}
		_, _ = w.Write(sse(record(t)))
		<-r.Context().Done()
	}))
	defer server.Close()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	for key, ok := range map[string]func(live.News) bool{
		"secret": func(n live.News) bool { return n.Connected && n.Counts != nil },
		"":       func(n live.News) bool { return strings.Contains(n.Trouble, "wants an API key") },
		"wrong":  func(n live.News) bool { return strings.Contains(n.Trouble, "401") },
	} {
		f, err := live.OpenAs(ctx, server.URL, key)
		require.NoError(t, err)
		for {
			news, more := f.Take(ctx)
			require.True(t, more, key)
			if ok(news) {
				break
			}
		}
	}
	stop()
}

// A flood is coalesced: few takes, every event, and the server waits where
// nobody takes.
func TestFlood(t *testing.T) {
	const floods = 100
	data := record(t)
	each := bytes.Count(data, []byte("\n"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range floods {
			if _, err := w.Write(data); err != nil {
				return
			}
		}
		<-r.Context().Done()
	}))
	defer server.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	f, err := live.Open(ctx, server.URL)
	require.NoError(t, err)
	s := state.New(state.Setup{})
	total, takes, started := 0, 0, time.Now()
	for total < floods*each {
		news, ok := f.Take(ctx)
		require.True(t, ok)
		require.LessOrEqual(t, len(news.Lines), 1<<16)
		for i := range news.Lines {
			s.Apply(&news.Lines[i].Event, news.Lines[i].Request)
		}
		total += len(news.Lines)
		takes++
	}
	require.EqualValues(t, floods*each, s.Total.Events)
	require.EqualValues(t, floods*bytes.Count(data, []byte(`"event":"round"`)), s.Total.Rounds)
	require.Less(t, takes, floods*each/50)
	t.Logf("%d events in %d takes, %.0f events/s", total, takes, float64(total)/time.Since(started).Seconds())
	stop()
}

func TestBadAddress(t *testing.T) {
	for _, address := range []string{"", "localhost:8080", "ftp://x", "http://", "http://a b"} {
		_, err := live.Open(context.Background(), address)
		require.Error(t, err, address)
		require.NotContains(t, err.Error(), "\n")
	}
}
