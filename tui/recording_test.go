package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/report"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/tui/live"
	"github.com/tfsim/tfsim/tui/view"
)

// One recorded file drives the dashboard, the page, the charts and the trace,
// and all of them say the same of it.
func TestOneRecording(t *testing.T) {
	data, err := os.ReadFile("testdata/busy.jsonl")
	require.NoError(t, err)
	events := bytes.Count(data, []byte("\n"))
	rounds := bytes.Count(data, []byte(`"event":"round"`))
	steps := bytes.Count(data, []byte(`"event":"step"`))

	// The dashboard.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(data)
		<-r.Context().Done()
	}))
	defer server.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	feed, err := live.Open(ctx, server.URL)
	require.NoError(t, err)
	m := newModel(false)
	m.live = newFollower(ctx, feed)
	for m.state().Total.Events < int64(events) {
		_, _ = m.Update(m.live.wait()())
	}
	_, _ = m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	m.focus = view.Queue
	screen := m.View().Content
	total := &m.state().Total
	require.EqualValues(t, rounds, total.Rounds)
	require.EqualValues(t, steps, total.Steps)

	// The page and the charts.
	study, err := report.ReadStudy(bytes.NewReader(data), "busy")
	require.NoError(t, err)
	require.Len(t, study.Document.Results, 1)
	run := study.Document.Results[0].Run
	require.EqualValues(t, rounds, run.Totals.Rounds)
	require.EqualValues(t, steps, run.Totals.Steps)
	require.EqualValues(t, total.Done, run.Totals.Done)
	require.EqualValues(t, total.Kept, run.Totals.Accepted)
	require.InDelta(t, float64(total.Gaps.Max())/1e3, run.Totals.Gap.Max.Value, 0.1)
	tokens := int64(0)
	var page bytes.Buffer
	require.NoError(t, report.WritePage(&page, report.Page{Command: "recorded", Studies: []*report.Study{study}}))
	for _, r := range run.Requests {
		tokens += int64(r.OutputTokens)
		require.Contains(t, screen, r.ID)
		if r.OutputTokens > 0 { // it had a slot
			require.Contains(t, page.String(), r.ID)
		}
	}
	require.Equal(t, total.Tokens, tokens)
	var charts bytes.Buffer
	require.NoError(t, report.WritePlot(&charts, report.SVG, []*report.Study{study}))
	require.Contains(t, charts.String(), "</svg>")

	// The trace.
	var out bytes.Buffer
	trace := report.NewTrace(&out)
	require.NoError(t, report.Replay(bytes.NewReader(data), func(_ int, _ *result.Head, name func(core.ID) string) []core.Sink {
		return []core.Sink{trace.Open("busy", name)}
	}))
	require.NoError(t, trace.Close())
	var written struct {
		TraceEvents []struct {
			Ph, Name string
			Tid      int
			Args     map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &written))
	device, drawn := 0, map[string]int{}
	for _, e := range written.TraceEvents {
		if e.Ph == "M" && e.Name == "thread_name" && e.Args["name"] == "device" {
			device = e.Tid
		}
		if e.Ph == "X" && e.Tid == device {
			drawn[e.Name]++
		}
	}
	require.Equal(t, rounds, drawn["round"])
	require.Equal(t, steps, drawn["prompt"])
	for _, r := range run.Requests {
		if r.OutputTokens > 0 {
			require.Contains(t, out.String(), r.ID)
		}
	}
}
