package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
)

// after measures the rate of each reply's tokens from one count to another.
type after struct {
	from, to int
	spans    map[core.ID]*span
}

type span struct {
	tokens     int
	start, end core.Micros
}

func (a *after) Record(e *core.Event) {
	if e.Kind != core.EventTokens || e.Total < a.from || e.Total > a.to {
		return
	}
	s := a.spans[e.ID]
	if s == nil {
		a.spans[e.ID] = &span{start: e.At}
		return
	}
	s.tokens += e.Tokens
	s.end = e.At
}

// rate is in tokens a second, summed over the replies.
func (a *after) rate() float64 {
	sum := 0.0
	for _, s := range a.spans {
		sum += float64(s.tokens) / (float64(s.end-s.start) / 1e6)
	}
	return sum
}

// TestBackAfterATurn: from 100 tokens after a text turns on, which are 100
// rounds at most, the measured rule runs within 3% of the oracle in either
// direction (mean over seeds).
func TestBackAfterATurn(t *testing.T) {
	table, err := costmodel.Open("m5-ultra-512gb")
	require.NoError(t, err)
	prices, err := table.Belief(costmodel.BeliefMeasured)
	require.NoError(t, err)
	for _, c := range []struct {
		name    string
		loads   [2]string
		streams int
		pass    float64
	}{
		{"code to chat", [2]string{"code", "chat"}, 1, 1},
		{"chat to code", [2]string{"chat", "code"}, 1, 1},
		{"code to chat, two", [2]string{"code", "chat"}, 2, 1},
		{"chat to code, two", [2]string{"chat", "code"}, 2, 1},
		{"chat to code, three, cheap pass", [2]string{"chat", "code"}, 3, 0.2},
	} {
		var rates [2]float64
		for seed := range uint64(10) {
			for i, rule := range []core.DraftRule{core.RuleMeasured, core.RuleOracle} {
				config := core.DefaultConfig()
				config.Lanes, config.LaunchRows = 4, table.Limits.Rows
				config.Rule, config.PlainStreams, config.Prices = rule, 0, prices
				config.LaunchEarly = true
				window := &after{from: 512 + 100, to: 512 + 300, spans: map[core.ID]*span{}}
				config.Sink = window
				var requests []Timed
				for n := range c.streams {
					requests = append(requests, Timed{Request: Request{
						ID: core.ID(n + 1), Prompt: 16, Output: 512 + 1000, Loads: c.loads, TurnAt: 512,
						CancelAt: core.Never, Text: uint64(n + 1),
					}})
				}
				world := DefaultWorld()
				world.Seed, world.Pass = seed+1, c.pass
				_, err := Run{Table: table, World: world, Config: config, Source: NewFixed(requests)}.Do()
				require.NoError(t, err)
				rates[i] += window.rate()
			}
		}
		t.Logf("%-32s %.3f of the oracle", c.name, rates[0]/rates[1])
		require.Greater(t, rates[0]/rates[1], 0.97, c.name)
	}
}
