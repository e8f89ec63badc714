package result

import (
	"io"
	"testing"

	"github.com/tfsim/tfsim/core"
)

// busy is the events of four lanes that decode replies of 200 rounds, one
// pass and one round after the other.
func busy() []core.Event {
	const lanes, rounds = 4, 200
	var out []core.Event
	now := core.Micros(0)
	emit := func(e core.Event) {
		e.At = now
		out = append(out, e)
	}
	for lane := range lanes {
		id := core.ID(lane + 1)
		emit(core.Event{Kind: core.EventSubmitted, ID: id, Slot: -1})
		emit(core.Event{Kind: core.EventAdmitted, ID: id, Slot: lane})
		now += 300_000
		emit(core.Event{Kind: core.EventStep, ID: id, Slot: lane, Rows: 900, Wall: 300_000, Device: 300_000, Beside: lane > 0, Last: true})
		emit(core.Event{Kind: core.EventTokens, ID: id, Slot: lane, Tokens: 1})
	}
	for r := range rounds {
		now += 3_500
		emit(core.Event{Kind: core.EventPass, Slot: -1, Wall: 3_500, Device: 3_500})
		wall := core.Micros(40_000 + r*7919%9973)
		now += wall
		emit(core.Event{Kind: core.EventRound, Slot: -1, Wall: wall, Device: wall})
		for lane := range lanes {
			emit(core.Event{Kind: core.EventTokens, ID: core.ID(lane + 1), Slot: lane, Tokens: 2, Drafts: 3, Kept: 1})
		}
	}
	for lane := range lanes {
		emit(core.Event{Kind: core.EventFinished, ID: core.ID(lane + 1), Slot: lane})
	}
	return out
}

func BenchmarkRecord(b *testing.B) {
	slo := &SLO{TTFT: 1e6, GapP95: 1e5}
	for name, o := range map[string]Options{
		"totals":  {Workload: true, Lanes: 4},
		"slo":     {Workload: true, Lanes: 4, SLO: slo},
		"request": {PerRequest: true, Lanes: 4, SLO: slo},
	} {
		b.Run(name, func(b *testing.B) {
			events := busy()
			r := NewRecorder(o)
			shift := core.ID(0)
			b.ReportAllocs()
			for i, k := 0, 0; i < b.N; i++ {
				e := events[k]
				if e.ID != 0 {
					e.ID += shift
				}
				r.Record(&e)
				if k++; k == len(events) {
					k, shift = 0, shift+4
				}
			}
		})
	}
}

func BenchmarkResult(b *testing.B) {
	r := NewRecorder(Options{})
	for _, e := range busy() {
		r.Record(&e)
	}
	b.ReportAllocs()
	for range b.N {
		r.Result(1e9)
	}
}

func BenchmarkJSONL(b *testing.B) {
	events := busy()
	w := NewJSONL(io.Discard, nil)
	b.ReportAllocs()
	for i := range b.N {
		w.Record(&events[i%len(events)])
	}
}
