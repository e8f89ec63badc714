package study_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/sim/trace/tracetest"
)

// one plays a file of one cell.
func one(t testing.TB, f *scenario.File, o study.Options) result.Entry {
	t.Helper()
	d, err := study.Play(context.Background(), f, o)
	require.NoError(t, err)
	return d.Results[0]
}

func scene(t testing.TB, text string) *scenario.File {
	t.Helper()
	f, err := scenario.Parse("x.yaml", []byte(text))
	require.NoError(t, err)
	return f
}

// The samples of one traffic give the same figures, whatever their format.
func TestTraceOfAnyFormat(t *testing.T) {
	of := func(file string) result.Totals {
		return one(t, scene(t, "machine: m5-ultra-512gb\nserver: {parallel: 4}\ncases: [{name: c, workload: {trace: ../../scenarios/traces/"+file+"}}]\n"),
			study.Options{}).Totals
	}
	a := of("azure-2023.csv")
	require.Equal(t, a, of("azure-2024.csv"))
	require.EqualValues(t, 120, a.Done)
	// In these, four senders give up before their reply is whole.
	e := of("events.jsonl")
	require.Equal(t, e, of("server.record"))
	require.Positive(t, e.Cancelled)
	require.EqualValues(t, 120, e.Done+e.Cancelled)
}

// Requests that wait in the file because very many are in flight fare as if
// they waited in the queue.
func TestSaturatedTraceIsExact(t *testing.T) {
	const n = 20_000
	var text strings.Builder
	text.WriteString("Timestamp,Request tokens,Response tokens\n")
	for i := range n {
		fmt.Fprintf(&text, "%d.%06d,20,2\n", i/1_000_000, i%1_000_000)
	}
	path := filepath.Join(t.TempDir(), "burst.csv")
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
	head := "machine: large-gpu\nserver: {parallel: 4}\nsettings: {no-drafts: true}\ncases:\n  - name: c\n    workload: "
	held := one(t, scene(t, head+"{trace: "+path+"}\n"), study.Options{})
	queued := one(t, scene(t, head+"{arrivals: {process: constant, rate: 1000000}, count: 20000, per_request: false, "+
		"prompt: {dist: fixed, value: 20}, output: {dist: fixed, value: 2}}\n"), study.Options{})
	require.Equal(t, queued.Totals, held.Totals)
	require.EqualValues(t, n, held.Totals.Done)
	require.True(t, held.Saturated)
	require.Contains(t, strings.Join(held.Notes, "\n"), "saturated: over 16384 requests waited at once")
}

// Prompts that begin alike are restored where there is a cache, and a run
// without one says so.
func TestTracePrefixes(t *testing.T) {
	play := func(gib string) result.Entry {
		return one(t, scene(t, "machine: m5-ultra-512gb\nserver: {parallel: 4, prompt_cache_gib: "+gib+"}\ncases:\n  - name: c\n"+
			"    workload: {trace: ../../scenarios/traces/mooncake.jsonl, per_request: true}\n"), study.Options{})
	}
	cached := func(e result.Entry) (tokens, prompts result.Count) {
		for _, r := range e.Requests {
			tokens += r.CachedTokens
			prompts += r.PromptTokens
		}
		return tokens, prompts
	}
	without, small, large := play("0"), play("1"), play("32")
	require.Contains(t, strings.Join(without.Notes, "\n"), "common prompt beginnings are not used: the prompt cache is off")
	none, _ := cached(without)
	require.Zero(t, none)
	few, _ := cached(small)
	most, all := cached(large)
	require.Positive(t, few)
	require.Greater(t, most, few)
	require.Greater(t, most, all/2)
	require.Less(t, large.Totals.TTFT.P50.Value, without.Totals.TTFT.P50.Value)
}

func TestTraceNotes(t *testing.T) {
	e := one(t, scene(t, "machine: m5-ultra-512gb\nserver: {parallel: 4, context: 2000}\ncases: [{name: c, workload: {trace: ../../scenarios/traces/burstgpt.csv}}]\n"), study.Options{})
	notes := strings.Join(e.Notes, "\n")
	require.Contains(t, notes, fmt.Sprintf("requests refused: %v, longer than the context of 2000 tokens", e.Totals.Failed))
	require.Contains(t, notes, "rows without a reply, such as failures, left out: 8")
	require.Positive(t, e.Totals.Failed)
}

// An error in the middle of a file ends the study with its place.
func TestTraceErrors(t *testing.T) {
	shape := tracetest.Sample
	shape.Requests = 3000
	var text strings.Builder
	require.NoError(t, shape.Write(&text, "azure-2023"))
	text.WriteString("late,1,1\n")
	path := filepath.Join(t.TempDir(), "t.csv")
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
	f := scene(t, "machine: m5-ultra-512gb\ncases: [{name: c, workload: {trace: "+path+"}}]\n")
	_, err := study.Play(context.Background(), f, study.Options{})
	require.ErrorContains(t, err, path+":3002: TIMESTAMP is no time (late); a time such as")
	require.ErrorContains(t, study.Check(scene(t, "machine: m5-ultra-512gb\ncases: [{name: c, workload: {trace: none}}]\n"), study.Options{}),
		"x.yaml:2:37: the trace cannot be read (stat none:")
}

// How far a trace is played is told in between, never back.
func TestTracePart(t *testing.T) {
	shape := tracetest.Sample
	shape.Requests, shape.Output = 3000, tracetest.Lengths{Median: 4, P95: 8}
	f := playing(t, "large-gpu", "azure-2024", shape)
	var parts []float64
	_, err := study.Play(context.Background(), f, study.Options{Repeat: 2, Workers: 2, Part: func(p float64) { parts = append(parts, p) }})
	require.NoError(t, err)
	require.IsNonDecreasing(t, parts)
	require.Greater(t, len(parts), 4)
	require.Equal(t, 1.0, parts[len(parts)-1])
}

// A stream of a trace is its run, event by event, and may be given up.
func TestTraceStream(t *testing.T) {
	s, err := study.NewScript(scene(t, "machine: m5-ultra-512gb\ncases: [{name: c, workload: {trace: ../../scenarios/traces/azure-2023.csv}}]\n"), study.Options{})
	require.NoError(t, err)
	for _, most := range []int{10, 1 << 30} {
		stream, err := s.Open(0)
		require.NoError(t, err)
		n := 0
		for ; n < most; n++ {
			if _, ok := stream.Next(); !ok {
				break
			}
		}
		require.NoError(t, stream.Err())
		stream.Close()
		require.GreaterOrEqual(t, n, 10)
	}
}

// Of a trace that a machine falls behind for good, memory grows by little more
// than the times that percentiles are made of.
func TestSaturatedTraceMemory(t *testing.T) {
	f := playing(t, "large-gpu", "azure-2024", tracetest.Shape{
		Seed: 1, Requests: 80_000, Rate: 1e6, Prompt: tracetest.Lengths{Median: 20, P95: 20}, Output: tracetest.Lengths{Median: 1, P95: 1},
	})
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	var early, late int64
	_, err := study.Play(context.Background(), f, study.Options{Workers: 1, Part: func(p float64) {
		switch {
		case p > 0.3 && early == 0:
			early = heap()
		case p > 0.9 && p < 1 && late == 0:
			late = heap()
		}
	}})
	require.NoError(t, err)
	require.Positive(t, late)
	require.Less(t, late-early, int64(8<<20))
}
