package sampled

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
)

var from = costmodel.Provenance{Grade: costmodel.Measured, Source: "a test"}

func table() *costmodel.Table {
	text := costmodel.DraftText{Settle: 1, Score: costmodel.Score{Scale: 1}}
	return &costmodel.Table{
		Machine: "here", Device: "a device", Weights: "w", Limits: costmodel.Limits{Rows: 64, Windows: 4},
		Provenance: costmodel.Sections{Drafts: from}, Drafts: costmodel.Drafts{Block: 5, Loads: map[string]costmodel.DraftLoad{"x": {Greedy: text, Sampled: text}}},
	}
}

// Work that costs by a formula, timed with noise and some far outliers, gives a
// table that prices it, also where it was not timed, and that reads back.
func TestCosts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := func(ms float64) float64 {
		ms *= 1 + 0.02*rng.NormFloat64()
		if rng.IntN(300) == 0 {
			ms *= 4
		}
		return ms
	}
	launch := func(n, rows, context, drawn int) float64 {
		return 0.3 + 0.05*float64(n) + 0.2*float64(rows) + 0.1*float64(context)/1000 + 0.01*float64(drawn)
	}
	chunk := func(rows, start int) float64 {
		return 0.5 + 0.1*float64(rows) + 0.02*float64(rows)*(float64(start)+float64(rows)/2)/1000
	}
	pass := func(a core.Asked, context int) float64 {
		whole := 1 + 0.25*float64(a.Asks-1) + 0.06*float64(context)/1000
		return whole*(1-0.8*float64(5-a.Depth)/5) + 0.1*float64(a.CatchUps) + 0.03*float64(a.Rounds) + 0.2*float64(a.Unread)
	}
	var s Set
	for range 2000 {
		n := 1 + rng.IntN(4)
		rows := n + rng.IntN(4*n)
		context, drawn := rng.IntN(8000), rng.IntN(2)*rows
		if rng.IntN(10) == 0 {
			cold := 1 + rng.IntN(Colds)
			s.Launches = append(s.Launches, Launch{Windows: n, Rows: rows, Context: context, Cold: cold, Ms: noise(launch(n, rows, context, 0) + 1.2/float64(cold))})
		}
		s.Launches = append(s.Launches, Launch{Windows: n, Rows: rows, Context: context, Sampled: drawn, Ms: noise(launch(n, rows, context, drawn))})
		rows, at := 1+rng.IntN(128), rng.IntN(8000)
		first, last := rng.IntN(5) == 0, rng.IntN(5) == 0
		ms := chunk(rows, at)
		if first {
			at, ms = 0, chunk(rows, 0)+0.4
		}
		if last {
			ms += 0.7
		}
		idle := rng.IntN(8) == 0
		if idle {
			ms += 3
		}
		s.Chunks = append(s.Chunks, Chunk{rows, at, first, last, idle, noise(ms)})
		asked := core.Asked{Asks: 1 + rng.IntN(4), Depth: 1 + 4*rng.IntN(2)}
		asked.CatchUps = rng.IntN(asked.Asks + 1)
		asked.Rounds = asked.CatchUps * (1 + rng.IntN(9))
		asked.Unread = max(rng.IntN(asked.Asks+4)-3, 0)
		context = rng.IntN(4000)
		s.Passes = append(s.Passes, Pass{asked, context, noise(pass(asked, context))})
	}
	for _, rows := range []int{100, 1000} {
		for _, ms := range []float64{1, 1.05, 0.95} {
			s.Restores = append(s.Restores, Restore{rows, ms + 2*float64(rows)/1000})
		}
	}
	made := table()
	require.NoError(t, s.Costs(made, from))
	var b bytes.Buffer
	require.NoError(t, made.WriteJSON(&b))
	read, err := costmodel.Parse("here.yaml", b.Bytes())
	require.NoError(t, err)
	near := func(want float64, got float64) {
		t.Helper()
		require.InEpsilon(t, want, got/1e6, 0.06)
	}
	for n := 1; n <= 4; n++ {
		for rows := n; rows <= 5*n; rows++ {
			got, _ := read.Launch(costmodel.Load{Windows: n, Rows: rows, Context: 4000, Sampled: rows})
			near(launch(n, rows, 4000, rows), float64(got))
		}
	}
	for _, rows := range []int{16, 64, 100} {
		for _, at := range []int{0, 500, 7000} {
			got, _ := read.Chunk(rows, at, true)
			near(chunk(rows, at), float64(got))
		}
	}
	require.InDelta(t, 700_000, int64(read.Prompt.Finish(500)), 150_000)
	require.InDelta(t, 400_000, int64(read.Prompt.Begin()), 150_000)
	require.InDelta(t, 3e6, int64(read.Prompt.Idle(core.Nanos(1e9))), 300_000)
	for place := 1; place <= Colds; place++ {
		require.InDelta(t, 1.2e6/float64(place), float64(read.Prompt.After(place)), 120_000, place)
	}
	require.Zero(t, read.Prompt.After(Colds+1))
	for _, depth := range []int{1, 3, 5} {
		asked := core.Asked{Asks: 3, Depth: depth, CatchUps: 1, Rounds: 6, Unread: 2}
		got, _ := read.Pass(costmodel.Asked{Asked: asked, Context: 3000})
		near(pass(asked, 3000), float64(got))
	}
	require.InEpsilon(t, 0.02, read.Noise, 0.25)
	for i, w := range s.Against(read) {
		require.Equal(t, []string{"rounds", "steps", "passes", "restores"}[i], w.Kind)
		require.Positive(t, w.Times)
		require.InEpsilon(t, w.PricedMs, w.TookMs, 0.05, w.Kind)
	}
	require.Len(t, (&Set{Chunks: s.Chunks}).Against(read), 1)
	near(3, float64(read.Restore(1000)))
	near(5, float64(read.Restore(2000)))
}

// Passes of a record may all be shallower than a block: what is known of them
// holds as far as it goes.
func TestShallowPasses(t *testing.T) {
	s := Set{Launches: []Launch{{Windows: 1, Rows: 1, Ms: 2}}, Chunks: []Chunk{{Rows: 100, Ms: 50}}}
	for range 5 {
		for _, depth := range []int{1, 2} {
			s.Passes = append(s.Passes, Pass{Asked: core.Asked{Asks: 1, Depth: depth}, Ms: 0.1 + 0.3*float64(depth)})
		}
	}
	made := table()
	made.Drafts.Block = 8
	require.NoError(t, s.Costs(made, from))
	for _, depth := range []int{1, 2, 5, 8} {
		got, _ := made.Pass(costmodel.Asked{Asked: core.Asked{Asks: 1, Depth: depth}})
		require.InEpsilon(t, 0.1+0.3*float64(depth), float64(got)/1e6, 0.01, "depth %d", depth)
	}
}

// Passes that are usually shallow, and now and then deeper than that, tell what
// depth costs as well.
func TestDeeperPasses(t *testing.T) {
	s := Set{Launches: []Launch{{Windows: 1, Rows: 1, Ms: 2}}, Chunks: []Chunk{{Rows: 100, Ms: 50}}}
	for _, depth := range []int{4, 1, 1, 1} {
		s.Passes = append(s.Passes, Pass{Asked: core.Asked{Asks: 1, Depth: depth}, Ms: 0.1 + 0.3*float64(depth)})
	}
	made := table()
	require.NoError(t, s.Costs(made, from))
	for _, depth := range []int{1, 3, 5} {
		got, _ := made.Pass(costmodel.Asked{Asked: core.Asked{Asks: 1, Depth: depth}})
		require.InEpsilon(t, 0.1+0.3*float64(depth), float64(got)/1e6, 0.01, "depth %d", depth)
	}
}

// A few samples make a table as well: what they do not tell costs nothing.
func TestFewSamples(t *testing.T) {
	var s Set
	require.ErrorIs(t, s.Costs(table(), from), ErrFew)
	s.Launches = []Launch{{Windows: 1, Rows: 1, Ms: 2}}
	s.Chunks = []Chunk{{Rows: 100, Last: true, Ms: 50}}
	made := table()
	require.NoError(t, s.Costs(made, from))
	var b bytes.Buffer
	require.NoError(t, made.WriteJSON(&b))
	_, err := costmodel.Parse("here.yaml", b.Bytes())
	require.NoError(t, err)
	got, _ := made.Launch(costmodel.Load{Windows: 1, Rows: 1})
	require.InEpsilon(t, 2e6, float64(got), 0.01)
	got, _ = made.Chunk(100, 0, true)
	require.InEpsilon(t, 50e6, float64(got), 0.01)
}

// Where only the last steps of prompts are short, and long ones take less than
// short ones say, ending a prompt does not take the difference.
func TestOnlyLastStepsShort(t *testing.T) {
	s := Set{Launches: []Launch{{Windows: 1, Rows: 1, Ms: 2}}}
	add := func(rows, at int, last bool, ms float64) {
		s.Chunks = append(s.Chunks, Chunk{Rows: rows, From: at, First: at == 0, Last: last, Ms: ms})
	}
	for i := range 40 {
		for _, at := range []int{0, 200 + 3*i, 512} {
			for _, rows := range []int{2 + i%5, 60 + i, 200 + i} {
				add(rows, at, true, 1+0.22*float64(rows)+0.4*float64(rows*at)/1000)
			}
		}
		add(512, 0, false, 123)
		add(512, 512, false, 168)
	}
	made := table()
	require.NoError(t, s.Costs(made, from))
	for _, w := range s.Against(made) {
		if w.Kind == "steps" {
			require.InEpsilon(t, w.TookMs, w.PricedMs, 0.1)
		}
	}
	chunk, _ := made.Chunk(4, 0, true)
	took := chunk + made.Prompt.Begin() + made.Prompt.Finish(4)
	require.InDelta(t, 1+0.22*4, float64(took)/1e6, 1)
}

// A step of a few rows is told as well as long ones, whose times bend: seconds
// of theirs do not put milliseconds on it.
func TestShortSteps(t *testing.T) {
	took := func(rows, at int) float64 {
		n := float64(rows)
		return 0.4 + 0.3*n + 0.3*n*(float64(at)+n/2)/1000 + 60*(n/512)*(n/512)
	}
	s := Set{Launches: []Launch{{Windows: 1, Rows: 1, Ms: 2}}}
	for _, rows := range []int{8, 32, 128, 512} {
		for _, at := range []int{0, 900, 2400} {
			for _, last := range []bool{false, true}[:1+int(one(at == 0))] {
				s.Chunks = append(s.Chunks, Chunk{rows, at, at == 0, last, false, took(rows, at) + 0.2*one(at == 0)})
			}
		}
	}
	made := table()
	require.NoError(t, s.Costs(made, from))
	got, _ := made.Chunk(8, 0, true)
	require.InEpsilon(t, took(8, 0)+0.2, float64(got+made.Prompt.Begin())/1e6, 0.15)
}

// Where a server is never without prompt steps, most shapes of rounds are timed
// after one alone: they are priced by that, and not by the few others.
func TestShapesAfterStepsAlone(t *testing.T) {
	s := Set{Chunks: []Chunk{{Rows: 100, Ms: 50}}}
	for k := range 4 * Colds {
		s.Launches = append(s.Launches,
			Launch{Windows: 1, Rows: 1, Ms: 2},
			Launch{Windows: 1, Rows: 1, Cold: 1 + k%Colds, Ms: 2.5},
			Launch{Windows: 4, Rows: 12, Cold: 1 + k%Colds, Ms: 9})
	}
	made := table()
	require.NoError(t, s.Costs(made, from))
	for _, c := range []struct {
		windows, rows int
		ms            float64
	}{{1, 1, 2}, {4, 12, 9}} {
		got, _ := made.Launch(costmodel.Load{Windows: c.windows, Rows: c.rows})
		require.InEpsilon(t, c.ms, float64(got)/1e6, 0.05, "%d windows", c.windows)
	}
	for place := 1; place <= Colds; place++ {
		require.InEpsilon(t, 500_000, int64(made.Prompt.After(place)), 0.05)
	}
}
