package report

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/internal/golden"
	"github.com/tfsim/tfsim/sim/result"
)

func recording(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/small.jsonl")
	require.NoError(t, err)
	return b
}

func studyOf(t *testing.T, events []byte) *Study {
	t.Helper()
	s, err := ReadStudy(bytes.NewReader(events), "small")
	require.NoError(t, err)
	return s
}

func page(t *testing.T, s ...*Study) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WritePage(&b, Page{Command: "tfsim scenario small.yaml", Studies: s}))
	return b.String()
}

func trace(t *testing.T, events []byte, budget int) []byte {
	t.Helper()
	var b bytes.Buffer
	tr := NewTrace(&b)
	tr.budget = budget
	require.NoError(t, Replay(bytes.NewReader(events), func(_ int, _ *result.Head, name func(core.ID) string) []core.Sink {
		return []core.Sink{tr.Open("both / share", name)}
	}))
	require.NoError(t, tr.Close())
	return b.Bytes()
}

// Recorded runs have the places that their heads say; without one they are
// numbered.
func TestRecordedRuns(t *testing.T) {
	var all bytes.Buffer
	out := result.NewJSONL(&all, nil)
	for seed := range uint64(2) {
		out.Begin(result.Head{Scenario: "small", Machine: "m5", World: "exact", Case: "both", Arm: "base", Seed: seed})
		all.Write(recording(t))
	}
	all.Write(recording(t))
	s := studyOf(t, all.Bytes())
	alone := studyOf(t, recording(t)).Document.Results[0].Run
	var places []string
	for _, e := range s.Document.Results {
		places = append(places, Place{e.World, e.Case, e.Arm}.String())
		require.Equal(t, alone, e.Run)
	}
	require.Equal(t, []string{"exact / both / base", "exact / both / base, seed 1", "recorded / run 3"}, places)
	require.Equal(t, "m5", s.Document.Machine)
	require.Contains(t, page(t, s), "base, seed 1")
}

// The page, the picture and the trace come from one recorded file.
func TestFromOneRecording(t *testing.T) {
	events := recording(t)
	s := studyOf(t, events)
	html := page(t, s)
	assert.Contains(t, html, `<th scope="colgroup" colspan="4" class="g">reply</th>`)
	assert.Contains(t, html, "reply: sent 0 ms, first token after 178.1 ms, finished after 1.33 s, 24 tokens")
	assert.Contains(t, html, "replies stalled for")
	for _, f := range []Format{SVG, PNG} {
		var b bytes.Buffer
		require.NoError(t, WritePlot(&b, f, []*Study{s}))
		assert.Greater(t, b.Len(), 1000)
	}
	golden.File(t, "testdata/small.trace.json", trace(t, events, traceBudget))
}

func TestTimelineGolden(t *testing.T) {
	r := studyOf(t, recording(t)).Runs[0]
	var b bytes.Buffer
	tl := newTimeline(r, 0, wholeOf([]*Run{r}))
	tl.Summary = r.summary()
	require.NoError(t, pageTemplate.ExecuteTemplate(&b, "timeline", tl))
	golden.File(t, "testdata/small.timeline.html", b.Bytes())
}

func TestChartsGolden(t *testing.T) {
	r := studyOf(t, recording(t)).Runs[0]
	var b bytes.Buffer
	require.NoError(t, pageTemplate.ExecuteTemplate(&b, "chart", cumulative("Gaps", "gap", []series{{0, "share", &r.gaps}})))
	golden.File(t, "testdata/small.chart.html", b.Bytes())
}

func TestSameBytes(t *testing.T) {
	events := recording(t)
	draw := func() (out [4][]byte) {
		s := studyOf(t, events)
		out[0] = []byte(page(t, s))
		out[1] = trace(t, events, traceBudget)
		for i, f := range []Format{SVG, PNG} {
			var b bytes.Buffer
			require.NoError(t, WritePlot(&b, f, []*Study{s}))
			out[2+i] = b.Bytes()
		}
		return out
	}
	first, second := draw(), draw()
	for i := range first {
		assert.True(t, bytes.Equal(first[i], second[i]), "output %d differs", i)
	}
}

func TestTwoRunsInOneFile(t *testing.T) {
	events := recording(t)
	s := studyOf(t, append(append([]byte{}, events...), events...))
	require.Len(t, s.Runs, 2)
	assert.Equal(t, s.Runs[0].gaps, s.Runs[1].gaps)
	assert.Equal(t, "run 2", s.Document.Results[1].Arm)
}

func TestEmptyRecording(t *testing.T) {
	s := studyOf(t, nil)
	assert.Contains(t, page(t, s), "</html>")
	var b bytes.Buffer
	assert.EqualError(t, WritePlot(&b, SVG, []*Study{s}), "nothing to draw")
	assert.JSONEq(t, `{"displayTimeUnit":"ms","traceEvents":[]}`, string(trace(t, nil, traceBudget)))
}

// Requests in flight at the end of a recording are drawn up to it.
func TestCutShort(t *testing.T) {
	lines := bytes.SplitAfter(recording(t), []byte("\n"))
	events := bytes.Join(lines[:20], nil)
	s := studyOf(t, events)
	assert.Contains(t, page(t, s), "unfinished after")
	assert.Contains(t, string(trace(t, events, traceBudget)), `"ended":"unfinished"`)
	checkNesting(t, trace(t, events, traceBudget))
}

// The page's figures are those of the terminal's table.
func TestFiguresAreTheTables(t *testing.T) {
	s := studyOf(t, append(append([]byte{}, recording(t)...), recording(t)...))
	many := result.Entry{Case: "workload", Arm: "run 1", Run: s.Document.Results[0].Run}
	many.Requests = nil
	other := many
	other.Arm = "run 2"
	other.Totals.Gap.P95 = result.Some(other.Totals.Gap.P95.Value * 30)
	other.Totals.DecodeRate = result.Some(0.001)
	s.Document.Results = append(s.Document.Results, many, other)
	var table bytes.Buffer
	require.NoError(t, result.WriteTable(&table, []*result.Document{s.Document}, result.TableOptions{}))
	html := page(t, s)
	checked := 0
	for _, entries := range s.cases() {
		for _, g := range result.Groups(entries) {
			assert.Contains(t, table.String(), g.Title)
			for _, c := range g.Columns {
				assert.Contains(t, table.String(), c.Title)
				for _, e := range entries {
					f := c.Cell(e, entries[0])
					assert.Contains(t, table.String(), f.Value)
					assert.Contains(t, html, `<span class="v">`+f.Value+`</span>`)
					if f.Ratio != "" {
						assert.Contains(t, table.String(), "("+f.Ratio+")")
						assert.Contains(t, html, `<span class="r">`+f.Ratio+`</span>`)
					}
					checked++
				}
			}
		}
	}
	assert.Greater(t, checked, 30)
}
