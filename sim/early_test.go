package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
)

// firstTokens notes when each request's first token came.
type firstTokens map[core.ID]core.Micros

func (f firstTokens) Record(e *core.Event) {
	if e.Kind == core.EventTokens && e.Total == e.Tokens {
		f[e.ID] = e.At
	}
}

// A pass that was launched early for a reply that then ended is over long
// before a request that comes a minute later.
func TestADroppedPassEndsByItself(t *testing.T) {
	table, err := costmodel.Open("m5-ultra-512gb")
	require.NoError(t, err)
	prices, err := table.Belief(costmodel.BeliefDefault)
	require.NoError(t, err)
	config := core.DefaultConfig()
	config.Lanes, config.LaunchRows, config.Prices, config.LaunchEarly = 2, table.Limits.Rows, prices, true
	first := firstTokens{}
	config.Sink = first
	var requests []Timed
	for n := range 8 {
		requests = append(requests, Timed{At: core.Micros(n) * 60_000_000, Request: Request{
			ID: core.ID(n + 1), Prompt: 64, Output: 8, Loads: [2]string{"chat"}, CancelAt: core.Never, Text: uint64(n),
		}})
	}
	_, err = Run{Table: table, World: DefaultWorld(), Config: config, Source: NewFixed(requests)}.Do()
	require.NoError(t, err)
	for n, r := range requests {
		require.Equal(t, first[1], first[core.ID(n+1)]-r.At, "request %d", n+1)
	}
}

// A pass launched early drafts as deep as the last one, and what it costs beyond
// what is hidden goes by that.
func TestEarlyPassIsAsDeepAsTheLast(t *testing.T) {
	table := exact()
	table.Drafter.ByDepth, table.Drafter.OverlapMs = 1, 0.5
	r := request(1)
	d := NewDevice(table, DefaultWorld(), 4, 4, func(core.ID) *Request { return r })
	do(t, d, whole(0, r))
	a := round(window(0, 64, 2))
	a.LaunchEarly = true
	do(t, d, a)
	require.Equal(t, ms(4*2.0/5-0.5), d.early)
}
