package report

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
)

type traceEvent struct {
	Ph       string
	Name     string
	Pid, Tid int
	TS, Dur  int64
	Args     map[string]any
}

func readTrace(t *testing.T, b []byte) []traceEvent {
	t.Helper()
	var file struct {
		TraceEvents []traceEvent
	}
	require.NoError(t, json.Unmarshal(b, &file))
	return file.TraceEvents
}

// checkNesting holds the format's rule: slices of a thread nest, and every
// begin has its end.
func checkNesting(t *testing.T, b []byte) []traceEvent {
	t.Helper()
	events := readTrace(t, b)
	sorted := slices.Clone(events)
	slices.SortStableFunc(sorted, func(a, b traceEvent) int { return int(a.TS - b.TS) })
	open := map[int][]int64{} // ends of the open slices of a thread
	const unknown = int64(1) << 62
	for _, e := range sorted {
		stack := open[e.Tid]
		for len(stack) > 0 && stack[len(stack)-1] <= e.TS && stack[len(stack)-1] != unknown {
			stack = stack[:len(stack)-1]
		}
		switch e.Ph {
		case "X":
			if n := len(stack); n > 0 {
				require.LessOrEqual(t, e.TS+e.Dur, stack[n-1], "%v overlaps", e)
			}
			stack = append(stack, e.TS+e.Dur)
		case "B":
			require.Empty(t, stack, "%v begins in another", e)
			stack = append(stack, unknown)
		case "E":
			require.Equal(t, []int64{unknown}, stack, "%v ends nothing", e)
			stack = nil
		}
		open[e.Tid] = stack
	}
	for tid, stack := range open {
		require.NotContains(t, stack, unknown, "thread %d has an open slice", tid)
	}
	return events
}

func TestTraceNests(t *testing.T) {
	for _, budget := range []int{traceBudget, 2000, 0} {
		checkNesting(t, trace(t, recording(t), budget))
	}
}

// However coarse, a trace accounts for every token and round.
func TestCoarseTraceLosesNothing(t *testing.T) {
	sums := func(budget int) map[string]float64 {
		out := map[string]float64{}
		for _, e := range readTrace(t, trace(t, recording(t), budget)) {
			if e.Ph != "X" {
				continue
			}
			for _, k := range []string{"tokens", "drafts", "kept", "windows", "rows"} {
				if v, ok := e.Args[k].(float64); ok && e.Name != "pass" {
					out[k] += v
				}
			}
		}
		return out
	}
	assert.Equal(t, sums(traceBudget), sums(0))
	assert.Less(t, len(trace(t, recording(t), 0)), len(trace(t, recording(t), traceBudget)))
}

// Numbers of threads are unique in the file: Perfetto names threads by them.
func TestThreadsOfSeveralRuns(t *testing.T) {
	events := append(append([]byte{}, recording(t)...), recording(t)...)
	owner := map[int]int{}
	for _, e := range checkNesting(t, trace(t, events, traceBudget)) {
		if pid, seen := owner[e.Tid]; seen {
			assert.Equal(t, pid, e.Pid)
		}
		owner[e.Tid] = e.Pid
	}
	assert.Len(t, owner, 2*(1+1+2)) // process, device, two slots
}

// counter counts what is written.
type counter int

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }

// Ten minutes of 64 lanes at 10 ms a round stay under 20 MB.
func TestTraceOfTenMinutes(t *testing.T) {
	var size counter
	tr := NewTrace(&size)
	sink := tr.Open("busy", nil)
	const lanes = 64
	var e core.Event
	record := func(x core.Event) { e = x; sink.Record(&e) }
	for i := range lanes {
		id := core.ID(i + 1)
		record(core.Event{Kind: core.EventSubmitted, ID: id, Slot: -1})
		record(core.Event{Kind: core.EventAdmitted, ID: id, Slot: i})
		record(core.Event{Kind: core.EventStep, ID: id, Slot: i, Rows: 100, Last: true})
		record(core.Event{Kind: core.EventTokens, ID: id, Slot: i, Tokens: 1})
	}
	for at := core.Micros(10_000); at <= 600_000_000; at += 10_000 {
		record(core.Event{At: at - 8_000, Kind: core.EventPass, Slot: -1, Windows: lanes, Rows: 200, Wall: 2_000, Device: 2_000, Owed: at})
		record(core.Event{At: at, Kind: core.EventRound, Slot: -1, Windows: lanes, Rows: 200, Drafts: 136, Kept: 70, Tokens: 134, Wall: 8_000, Device: 8_000, Owed: at / 2})
		for i := range lanes {
			record(core.Event{At: at, Kind: core.EventTokens, ID: core.ID(i + 1), Slot: i, Drafts: 2, Kept: 1, Tokens: 2, Wall: 8_000})
		}
	}
	require.NoError(t, tr.Close())
	assert.Less(t, int(size), 20<<20)
	assert.Greater(t, int(size), 4<<20)
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestTraceTellsOfAFailedWrite(t *testing.T) {
	tr := NewTrace(failing{})
	tr.Open("x", nil).Record(&core.Event{Kind: core.EventSubmitted, ID: 1, Slot: -1})
	assert.EqualError(t, tr.Close(), "disk full")
}
