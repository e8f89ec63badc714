package validate

import (
	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim"
	"github.com/tfsim/tfsim/sim/result"
)

// The benches' servers and prompts. The lengths of the short prompts are not
// published; they are chosen so that the tables' prompt costs give the start
// skew that the receipts show.
const (
	lanes       = 4
	replyPrompt = 64
	replyTokens = 64
	longPrompt  = 131072
	coldPrompt  = 32768
)

// shortPrompts are the prompts of the decode benches by load.
var shortPrompts = map[string]int{"chat": 128, "code": 96}

// bench is one published run: a fresh server, its settings, and what it was
// sent.
type bench struct {
	settings []pair
	heat     float64
	requests []sim.Timed
}

type pair struct{ name, value string }

// run simulates the bench at noise 0, its draft outcomes under a seed.
func (b *bench) run(t *costmodel.Table, seed uint64) (result.Run, error) {
	config, err := b.config(t)
	if err != nil {
		return result.Run{}, err
	}
	rec := result.NewRecorder(result.Options{PerRequest: true, Lanes: config.Lanes})
	for _, r := range b.requests {
		rec.Expect(r.ID, result.Meta{Sent: r.At, Prompt: r.Prompt, Output: r.Output})
	}
	config.Sink = rec
	world := sim.DefaultWorld()
	world.Seed, world.Heat = seed, b.heat
	report, err := sim.Run{Table: t, World: world, Config: config, Source: sim.NewFixed(b.requests)}.Do()
	if err != nil {
		return result.Run{}, err
	}
	return rec.Result(report.End), nil
}

func (b *bench) config(t *costmodel.Table) (core.Config, error) {
	var values settings.Values
	for _, p := range b.settings {
		if err := values.Set(p.name, p.value); err != nil {
			return core.Config{}, err
		}
	}
	base := core.DefaultConfig()
	base.Lanes = lanes
	base.LaunchRows = t.Limits.Rows
	base.Block = t.Drafts.Block
	base.LaunchEarly = t.Drafter != nil && t.Drafter.OverlapMs > 0
	var err error
	if base.Prices, err = t.Belief(values.CalibKind()); err != nil {
		return core.Config{}, err
	}
	config, _, err := values.Config(base)
	return config, err
}

// decode is the concurrent bench: n equal prompts at once, or, sampled, n
// texts of one load.
func decode(load string, n, tokens int, temperature float64, set ...pair) *bench {
	b := &bench{settings: set}
	for i := range n {
		r := sim.Request{
			ID: core.ID(i + 1), Prompt: shortPrompts[load], Output: tokens,
			Loads: [2]string{load}, Temperature: temperature, CancelAt: core.Never,
			Text: uint64(i + 1),
		}
		if temperature == 0 {
			r.Text, r.Twin = 1, true
		}
		b.requests = append(b.requests, sim.Timed{Request: r})
	}
	return b
}

const (
	replyID core.ID = 1
	longID  core.ID = 2
)

// fill is the fill bench: a long cold prompt beside a short reply. The long
// request decodes at least as long as the reply does.
func fill(replyAt, longAt core.Micros, heat float64, set ...pair) *bench {
	reply := sim.Request{ID: replyID, Prompt: replyPrompt, Output: replyTokens, Loads: [2]string{"chat"}, CancelAt: core.Never, Text: 1}
	long := sim.Request{ID: longID, Prompt: longPrompt, Output: 4 * replyTokens, Loads: [2]string{"chat"}, CancelAt: core.Never, Text: 2}
	return &bench{settings: set, heat: heat, requests: []sim.Timed{{At: replyAt, Request: reply}, {At: longAt, Request: long}}}
}

// cold is a lone cold prompt.
func cold(prompt int, set ...pair) *bench {
	r := sim.Request{ID: longID, Prompt: prompt, Output: 2, Loads: [2]string{"chat"}, CancelAt: core.Never, Text: 2}
	return &bench{settings: set, requests: []sim.Timed{{Request: r}}}
}
