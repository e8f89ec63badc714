package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
)

var hot = costmodel.Heat{Limit: 0.5, TauS: 100, Headroom: 0.2, CoolS: 50, Rounds: 0.4}

const second core.Micros = 1e6

// A machine at rest has its whole headroom, which costs nothing until it is
// used up: 100·ln(0.7/0.5) = 33.6 seconds of work.
func TestHeadroom(t *testing.T) {
	h := newHeat(&hot, 0)
	for range 33 {
		h.work(second)
		require.Equal(t, 1.0, h.factor(1))
	}
	h.work(second)
	require.Greater(t, h.factor(1), 1.0)
}

// Work takes the heat towards the limit: after one time constant, 1/e of the
// way is left.
func TestHeatRisesToItsLimit(t *testing.T) {
	h := newHeat(&hot, 0)
	h.work(100 * second)
	require.InDelta(t, 0.5-0.7*0.36788, h.level, 1e-5)
	before := h.level
	for range 100 {
		h.work(10 * second)
		require.Greater(t, h.level, before)
		require.LessOrEqual(t, h.level, hot.Limit)
		before = h.level
	}
	require.InDelta(t, 1.5, h.factor(1), 1e-4)
	require.InDelta(t, 1.2, h.factor(h.rounds()), 1e-4, "rounds feel their share")
}

// Rest takes it back to the whole headroom.
func TestRestCools(t *testing.T) {
	h := newHeat(&hot, 0.5)
	h.rest(50 * second)
	require.InDelta(t, -0.2+0.7*0.36788, h.level, 1e-5)
	h.rest(10_000 * second)
	require.InDelta(t, -0.2, h.level, 1e-9)
}

// How a span is cut does not matter, and neither does a span of nothing.
func TestHeatHasNoSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.Float64Range(-0.9, 2).Draw(t, "start")
		a, b := newHeat(&hot, start), newHeat(&hot, start)
		for _, span := range rapid.SliceOfN(rapid.Int64Range(0, 1e8), 1, 20).Draw(t, "spans") {
			work := span%2 == 0
			for _, part := range []int64{span / 3, span - span/3} {
				if work {
					a.work(core.Micros(part))
				} else {
					a.rest(core.Micros(part))
				}
			}
			if work {
				b.work(core.Micros(span))
			} else {
				b.rest(core.Micros(span))
			}
		}
		require.InDelta(t, b.level, a.level, 1e-9)
	})
}

// Without figures of heat a world's heat is there for good.
func TestSteadyHeat(t *testing.T) {
	h := newHeat(nil, 0.25)
	h.work(1000 * second)
	h.rest(1000 * second)
	require.Equal(t, 1.25, h.factor(1))
	require.Equal(t, 1.25, h.factor(h.rounds()))
	cool := newHeat(nil, -0.5)
	require.Equal(t, 1.0, cool.factor(1), "a cold machine is no faster")
}

// The device warms with its work and cools while it waits, but not while the
// tail of a step runs.
func TestDeviceHeat(t *testing.T) {
	table := exact()
	table.Heat = &hot
	long := request(1, func(r *Request) { r.Prompt = 128 })
	d := server(DefaultWorld(), long)
	d.truth = newTruth(table, DefaultWorld())
	do(t, d, core.Action{Kind: core.Step, ID: 1, Rows: 64, First: true})
	worked := newHeat(&hot, 0)
	worked.work(ms(107))
	require.InDelta(t, worked.level, d.truth.heat.level, 1e-12)
	d.Wait(ms(105))
	require.InDelta(t, worked.level, d.truth.heat.level, 1e-12, "the tail is work")
	d.Wait(second)
	worked.rest(second - ms(107))
	require.InDelta(t, worked.level, d.truth.heat.level, 1e-12)
	d.Wait(0)
	require.Equal(t, second, d.Now(), "waiting for the past takes no time")
}
