package live

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/tui/state"
)

const answer = `# HELP tfsim:lanes Lanes.
# TYPE tfsim:lanes gauge
tfsim:lanes 4
tfsim:prompt_share 0.75
# TYPE tfsim:requests_running gauge
tfsim:requests_running 3
tfsim:requests_waiting 2
# TYPE tfsim:generation_tokens_total counter
tfsim:generation_tokens_total 1.25e+06
tfsim:decode_rounds_total{a="b"} 1
tfsim:drafted_total NaN
tfsim:accepted_total -3
tfsim:events_missed_total 0
# TYPE other histogram
other_bucket{le="+Inf"} 1
other_sum 1
other_count 1
`

var answered = state.Counts{
	Lanes: 4, Promised: 750_000, Running: 3, Waiting: 2, Tokens: 1_250_000, Rounds: -1, Drafted: -1, Accepted: -1,
}

func TestReadCounts(t *testing.T) {
	c, err := readCounts(strings.NewReader(answer))
	require.NoError(t, err)
	require.Equal(t, answered, *c)
	for name, text := range map[string]string{
		"empty": "", "a page": "<html>\n", "others": "up 1\n", "cut": answer[:len(answer)-4] + "x",
		"no counts": "tfsim:lanes 1e300\ntfsim:drafted_total +Inf\n",
		"twice":     "tfsim:lanes 1\ntfsim:lanes 2\n",
		"too long":  answer + strings.Repeat("# x\n", longestAnswer/4),
		"histogram": "# TYPE tfsim:lanes histogram\ntfsim:lanes_bucket{le=\"+Inf\"} 1\ntfsim:lanes_sum 1\ntfsim:lanes_count 1\n",
	} {
		_, err := readCounts(strings.NewReader(text))
		require.ErrorIs(t, err, errNone, name)
	}
}

// within says that each figure is unknown or a possible one.
func within(t require.TestingT, c *state.Counts) {
	require.LessOrEqual(t, c.Lanes, int64(state.MostSlots))
	require.LessOrEqual(t, c.Promised, core.Whole)
	for _, n := range []int64{c.Lanes, c.Running, c.Waiting, c.Tokens, c.Rounds, c.Drafted, c.Accepted, c.Missed} {
		require.True(t, n >= -1 && n <= mostCount, n)
	}
}

// Any number is read exactly, or is unknown.
func TestEveryNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		n := rapid.Int64Range(0, mostCount).Draw(t, "n")
		c, err := readCounts(strings.NewReader(fmt.Sprintf("tfsim:drafted_total %g\ntfsim:accepted_total %d\n", x, n)))
		require.NoError(t, err)
		within(t, c)
		require.Equal(t, n, c.Accepted)
		if x < 0 || x > mostCount {
			require.EqualValues(t, -1, c.Drafted)
		} else {
			require.EqualValues(t, math.Floor(x), c.Drafted)
		}
	})
}

// Whatever a server sends, reading ends, with figures that can be shown.
func FuzzCounts(f *testing.F) {
	f.Add(answer)
	f.Add("tfsim:lanes 4096\n{\"tfsim:prompt_share\"} 1\n")
	f.Add("# TYPE tfsim:lanes summary\ntfsim:lanes{quantile=\"0.5\"} 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := readCounts(strings.NewReader(text))
		if err != nil {
			return
		}
		within(t, c)
		s := state.New(state.Setup{})
		s.Know(c)
		require.Len(t, s.Slots, int(max(c.Lanes, 0)))
	})
}

func TestBeside(t *testing.T) {
	for events, want := range map[string]string{
		"http://h:1/events": "http://h:1/metrics", "https://u:p@h/a/b?key=1": "https://u:p@h/a/metrics?key=1",
		"http://h/a%2Fb/events/": "http://h/a/b/events/metrics",
	} {
		u, err := url.Parse(events)
		require.NoError(t, err)
		require.Equal(t, want, beside(*u, "metrics"))
	}
}

// until takes news until they hold.
func until(t *testing.T, f *Feed, ok func(News) bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	for {
		news, more := f.Take(ctx)
		require.True(t, more)
		if ok(news) {
			return
		}
	}
}

// Counts come beside the events; a server that has none or wants a key is
// asked again, and nothing is said of it.
func TestCountsBesideEvents(t *testing.T) {
	var calls, reply atomic.Int32 // reply is the status to answer with
	reply.Store(http.StatusUnauthorized)
	mux := http.NewServeMux()
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, "data: {\"at_us\":1,\"event\":\"wait\"}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		w.WriteHeader(int(reply.Load()))
		_, _ = fmt.Fprint(w, answer)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	f, err := Open(ctx, server.URL)
	require.NoError(t, err)
	until(t, f, func(n News) bool {
		require.Nil(t, n.Counts)
		return n.Connected && len(n.Lines) == 1
	})
	require.Eventually(t, func() bool { return calls.Load() >= 2 }, 10*time.Second, 10*time.Millisecond)
	reply.Store(http.StatusOK)
	until(t, f, func(n News) bool {
		require.True(t, n.Connected)
		require.Empty(t, n.Trouble)
		return n.Counts != nil && *n.Counts == answered
	})
	reply.Store(http.StatusNotFound)
	until(t, f, func(n News) bool {
		require.True(t, n.Connected)
		return n.Counts == nil
	})
	stop()
}
