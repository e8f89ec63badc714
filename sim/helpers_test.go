package sim

import (
	"bytes"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/result"
)

// exact is a table of round figures, so that prices can be worked out by hand.
// Its texts: sure ones keep every draft, vain ones none, fair ones every
// other, and chat wanders.
func exact() *costmodel.Table {
	plain := func(logit float64) costmodel.DraftLoad {
		t := costmodel.DraftText{Logit: logit, Score: costmodel.Score{Scale: 1}}
		return costmodel.DraftLoad{Greedy: t, Sampled: t}
	}
	chat := costmodel.DraftText{
		Logit: 0.5, Deeper: 0.1, Spread: 1.2, Memory: 0.7, Start: -0.5, Settle: 40,
		Score: costmodel.Score{Scale: 0.9, Shift: 0.1, Noise: 0.4},
	}
	return &costmodel.Table{
		Machine: "exact",
		Limits:  costmodel.Limits{Rows: 8, Windows: 4, FurtherMs: 2},
		Rows: &costmodel.Rows{
			MS:            costmodel.Curve{{At: 1, Ms: 10}, {At: 2, Ms: 12}, {At: 4, Ms: 16}, {At: 8, Ms: 24}},
			PerSequenceMs: 3, DuplicateMs: 0.5, MixedRowMs: 0.25,
		},
		ContextMsPer1K: 1, // a microsecond for each token
		Sampling:       &costmodel.Sampling{RowMs: 0.125},
		Drafter:        &costmodel.Drafter{Ms: 4, AskMs: 1, IngestMs: 0.5, OverlapMs: 3},
		Prompt: &costmodel.Chunk{
			MS: costmodel.Grid{
				{At: 64, Ms: costmodel.Curve{{At: 0, Ms: 100}}},
				{At: 128, Ms: costmodel.Curve{{At: 0, Ms: 180}}},
				{At: 4096, Ms: costmodel.Curve{{At: 0, Ms: 4000}, {At: 4096, Ms: 5000}}},
			},
			UnstagedMs: costmodel.Curve{{At: 64, Ms: 20}},
			TailMs:     costmodel.Curve{{At: 64, Ms: 8}},
			BesideMs:   costmodel.Curve{{At: 64, Ms: 5}},
			BeginMs:    7,
			FinishMs:   costmodel.Curve{{At: 64, Ms: 30}},
		},
		RestoreMs:    2,
		KeptMiBPer1K: 1024, // a GiB for each thousand tokens
		Drafts: costmodel.Drafts{Block: 5, Loads: map[string]costmodel.DraftLoad{
			"sure": plain(60), "vain": plain(-60), "fair": plain(0), "chat": {Greedy: chat, Sampled: chat},
		}},
	}
}

// request is one of 64 prompt tokens that stays to its end.
func request(id core.ID, change ...func(*Request)) *Request {
	r := &Request{ID: id, Prompt: 64, Output: 1000, Loads: [2]string{"sure"}, CancelAt: core.Never, Text: uint64(id)}
	for _, f := range change {
		f(r)
	}
	return r
}

// server is a device over the exact table that knows some requests.
func server(w World, requests ...*Request) *Device {
	return NewDevice(exact(), w, 4, 4, func(id core.ID) *Request {
		for _, r := range requests {
			if r.ID == id {
				return r
			}
		}
		return nil
	})
}

// do gives the outcome of an action.
func do(t require.TestingT, d *Device, a core.Action) core.Outcome {
	var o core.Outcome
	require.NoError(t, d.Do(&a, &o))
	return o
}

// whole fills a request's prompt in one step.
func whole(slot int, r *Request) core.Action {
	return core.Action{Kind: core.Step, Slot: slot, ID: r.ID, Rows: r.Prompt, Last: true, First: true}
}

// round is one launch of windows.
func round(windows ...core.Window) core.Action {
	return core.Action{Kind: core.Round, Beside: true, Windows: windows, Launches: []int{len(windows)}}
}

// window of a slot that holds so many rows.
func window(slot, position, drafts int) core.Window {
	return core.Window{Slot: slot, ID: core.ID(slot + 1), Position: position, Drafts: drafts, Held: drafts}
}

func ms(x float64) core.Micros { return core.Micros(x * 1000) }

// tape keeps a run's events, as they are and as lines.
type tape struct {
	events []core.Event
	bytes  bytes.Buffer
	lines  *result.JSONL
}

func (p *tape) Record(e *core.Event) {
	p.events = append(p.events, *e)
	p.lines.Record(e)
}

// play runs requests to their end.
func play(t require.TestingT, table *costmodel.Table, w World, c core.Config, cache float64, requests []Timed) (*tape, Report) {
	p := &tape{}
	p.lines = result.NewJSONL(&p.bytes, nil)
	c.Sink = p
	report, err := Run{Table: table, World: w, Config: c, CacheGiB: cache, Source: NewFixed(requests)}.Do()
	require.NoError(t, err)
	return p, report
}

// config is the default on a table.
func config(t require.TestingT, table *costmodel.Table) core.Config {
	c := core.DefaultConfig()
	c.LaunchRows, c.Block = table.Limits.Rows, table.Drafts.Block
	var err error
	c.Prices, err = table.Belief(costmodel.BeliefMeasured)
	require.NoError(t, err)
	return c
}
