package tui

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
	"github.com/tfsim/tfsim/sim"
	"github.com/tfsim/tfsim/tui/live"
)

// follow makes a dashboard of a server, and a way to wait until it shows
// something.
func follow(ctx context.Context, t *testing.T, url string) (*Model, func(func() bool)) {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	t.Cleanup(stop)
	feed, err := live.Open(ctx, url)
	require.NoError(t, err)
	m := newModel(false)
	m.live = newFollower(ctx, feed)
	_, _ = m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	return m, func(ok func() bool) {
		t.Helper()
		for !ok() {
			msg := m.live.wait()()
			require.NotNil(t, msg, "it never comes")
			_, _ = m.Update(msg)
		}
	}
}

func shown(m *Model) string {
	m.stale = true
	m.View()
	return m.grid.String()
}

// A dashboard that comes late shows totals since its coming and since the
// server's start; one that came first has the same of both.
func TestServed(t *testing.T) {
	table, err := costmodel.Open("m5-ultra-512gb")
	require.NoError(t, err)
	machine, err := sim.OpenLive(table, sim.LiveOptions{Slots: 3, Context: 65_536, Speed: 1000})
	require.NoError(t, err)
	c := core.DefaultConfig()
	info := machine.Info()
	c.Lanes, c.Context, c.LaunchRows = info.Slots, info.Context, info.Shapes.LaunchRows
	c.Block, c.DraftDepth, c.Drafts, c.Queue = info.DraftDepth, min(c.DraftDepth, info.DraftDepth), true, 100
	c.Steps, c.StepRows, c.PromptShare = true, 512, 750_000
	c.Prices, err = table.Belief(costmodel.BeliefDefault)
	require.NoError(t, err)
	eng, err := engine.Start(machine, engine.Options{Config: c})
	require.NoError(t, err)
	s, err := server.New(server.Options{Live: eng, Tokenizer: machine, Model: "demo"})
	require.NoError(t, err)
	at := httptest.NewServer(s)
	defer at.Close()
	defer func() { require.NoError(t, eng.Close()) }()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()

	m, until := follow(ctx, t, at.URL)
	until(func() bool { return m.state().Server != nil && m.live.news.Connected })
	require.Len(t, m.state().Slots, 3)
	require.Contains(t, shown(m), "promised          75%")

	const requests = 9
	var all sync.WaitGroup
	for i := range requests {
		all.Go(func() {
			body := fmt.Sprintf(`{"model": "demo", "max_tokens": %d, "prompt": %q}`, 20+i, strings.Repeat("word ", 50*(i+1)))
			resp, err := http.Post(at.URL+"/v1/completions", "application/json", strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				t.Error(resp.Status)
			}
		})
	}
	all.Wait()
	until(func() bool { return m.state().Total.Done == requests })
	stats := eng.Stats()
	until(func() bool {
		told := m.state().Server
		return told.Tokens == int64(stats.Tokens) && told.Running == 0 && m.state().Total.Tokens == int64(stats.Tokens)
	})
	f, told := &m.state().Total, m.state().Server
	require.Positive(t, f.Kept)
	require.Equal(t, []int64{f.Tokens, f.Rounds, f.Drafts, f.Kept}, []int64{told.Tokens, told.Rounds, told.Drafted, told.Accepted})
	require.Equal(t, []uint64{stats.Steps, stats.Passes, stats.PromptTokens, stats.Finished},
		[]uint64{uint64(f.Steps), uint64(f.Passes), uint64(f.PromptRows), uint64(f.Done)})
	require.Equal(t, []int64{3, 0, 0, 0}, []int64{told.Lanes, told.Running, told.Waiting, told.Missed})

	late, until := follow(ctx, t, at.URL)
	until(func() bool { return late.state().Server != nil })
	require.Zero(t, late.state().Total.Tokens)
	require.Equal(t, *told, *late.state().Server)
	require.Contains(t, shown(late), "since the server's start")
	stop()
}

// Events and counts of one server make one picture; a server without counts
// shows as before.
func TestEventsAndCounts(t *testing.T) {
	serve := func(counts http.HandlerFunc) string {
		mux := http.NewServeMux()
		mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprint(w, "data: {\"at_us\":5,\"event\":\"submitted\",\"id\":1,\"rows\":9,\"tokens\":2}\n\n")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		mux.HandleFunc("/metrics", counts)
		at := httptest.NewServer(mux)
		t.Cleanup(func() {
			at.CloseClientConnections()
			at.Close()
		})
		return at.URL
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	m, until := follow(ctx, t, serve(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, "tfsim:lanes 2\ntfsim:prompt_share 0.5\ntfsim:requests_waiting 7\ntfsim:events_missed_total 3\n")
	}))
	until(func() bool { return m.state().Server != nil && m.state().Total.Events == 1 })
	screen := shown(m)
	require.Contains(t, screen, "promised          50%")
	require.Contains(t, screen, "  1 free")
	require.Regexp(t, regexp.MustCompile(`waiting now +7\n`), screen)
	require.Regexp(t, regexp.MustCompile(`events missed +3\n`), screen)
	// The keys move the totals where they do not fit.
	_, _ = m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	for range 4 {
		_, _ = m.Update(tea.KeyPressMsg{Code: tea.KeyTab})
	}
	require.NotContains(t, shown(m), "events missed")
	_, _ = m.Update(tea.KeyPressMsg{Text: "G"})
	require.Contains(t, shown(m), "events missed")

	m, until = follow(ctx, t, serve(http.NotFound))
	until(func() bool { return m.state().Total.Events == 1 })
	screen = shown(m)
	require.Contains(t, screen, "● live")
	require.Contains(t, screen, "promised      unknown")
	require.NotContains(t, screen, "since the server's start")
	require.Empty(t, m.live.news.Trouble)
	stop()
}

// A server that dies takes what it said of itself along; one that takes its
// place is told from it, whatever its clock says and before its first event.
func TestServerComesBack(t *testing.T) {
	const submitted = "id: %s-%d\ndata: {\"at_us\":%d,\"event\":\"submitted\",\"id\":%d,\"rows\":9,\"tokens\":2}\n\n"
	var start atomic.Value // the server that answers, "" for none
	start.Store("a")
	end := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		switch start := start.Load(); start {
		case "":
			panic(http.ErrAbortHandler)
		case "idle":
			_, _ = fmt.Fprintf(w, "id: %s-0\n\n", start)
		default:
			_, _ = fmt.Fprintf(w, submitted+submitted, start, 1, 5_000_000, 1, start, 2, 6_000_000, 2)
		}
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
		case <-end:
		}
	})
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, _ *http.Request) {
		if start.Load() == "" {
			panic(http.ErrAbortHandler)
		}
		_, _ = fmt.Fprint(w, "tfsim:lanes 2\ntfsim:requests_waiting 7\n")
	})
	at := httptest.NewServer(mux)
	defer at.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	m, until := follow(ctx, t, at.URL)
	change := func(to string) {
		start.Store(to)
		end <- struct{}{}
	}
	until(func() bool { return m.state().Server != nil && m.state().Total.Events == 2 })
	require.Contains(t, shown(m), "since the server's start")
	change("")
	until(func() bool { return !m.live.news.Connected })
	require.Nil(t, m.state().Server)
	require.NotContains(t, shown(m), "since the server's start")
	start.Store("b")
	until(func() bool { return m.live.news.Restarts == 1 && m.state().Total.Events == 2 })
	change("idle")
	until(func() bool { return m.live.news.Restarts == 2 && m.state().Server != nil })
	require.Zero(t, m.state().Total.Events)
	require.Zero(t, m.state().Waiting())
	change("idle")
	until(func() bool { return m.live.news.Connects == 4 })
	require.Equal(t, 2, m.live.news.Restarts)
	stop()
}

// board is a server whose settings are those of a configuration, and what it
// runs by.
func board(t *testing.T, changes bool) (url string, config func() core.Config) {
	t.Helper()
	d := fake.Open(fake.Options{})
	c := core.DefaultConfig()
	info := d.Info()
	c.Lanes, c.Context, c.LaunchRows = info.Slots, info.Context, info.Shapes.LaunchRows
	c.Block, c.DraftDepth, c.Drafts, c.Queue = info.DraftDepth, 0, false, 10
	eng, err := engine.Start(d, engine.Options{Config: c})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, eng.Close()) })
	s, err := server.New(server.Options{Live: eng, Tokenizer: d, Model: "demo", Settings: &server.Settings{
		Changes:   changes,
		Unset:     settings.Unset(c),
		Configure: func(v settings.Values) (core.Config, []settings.Note, error) { return v.Config(c) },
	}})
	require.NoError(t, err)
	at := httptest.NewServer(s)
	t.Cleanup(at.Close)
	return at.URL, eng.Config
}

// A setting of a server that allows it is changed from the dashboard; what the
// server says against it is shown. One that does not allow it says so.
func TestServerSettings(t *testing.T) {
	press := func(m *Model, keys ...string) {
		t.Helper()
		for _, k := range keys {
			msg := tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
			if k == "enter" {
				msg = tea.KeyPressMsg{Code: tea.KeyEnter}
			}
			if cmd := m.press(msg); cmd != nil {
				_, _ = m.Update(cmd())
			}
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()

	url, config := board(t, true)
	m, until := follow(ctx, t, url)
	until(func() bool { return m.live.news.Connected })
	require.NotEqual(t, 48, config().StepRows)
	press(m, "w")
	require.Contains(t, shown(m), "a setting of the server changes now")
	require.Regexp(t, fmt.Sprintf(`--parallel +%d\b`, config().Lanes), shown(m))
	press(m, strings.Split("/TFSIM_STEP_ROWS", "")...)
	press(m, "enter", "enter", "4", "8", "enter")
	require.Equal(t, 48, config().StepRows)
	require.Contains(t, shown(m), "TFSIM_STEP_ROWS=48")
	_, _ = m.Update(m.live.change("--parallel", "3")())
	require.True(t, m.alarm)
	require.Contains(t, shown(m), "cannot change")

	url, _ = board(t, false)
	m, until = follow(ctx, t, url)
	until(func() bool { return m.live.news.Connected })
	press(m, "w")
	require.Nil(t, m.dialog)
	require.Contains(t, shown(m), "it needs --allow-changes")
}
