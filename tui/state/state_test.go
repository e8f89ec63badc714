package state_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tui/state"
)

// events plays a cell of a scenario to its end.
func events(t testing.TB, file string, cell int) ([]result.Line, core.Config) {
	f, err := scenario.Load("../../scenarios/" + file)
	require.NoError(t, err)
	script, err := study.NewScript(f, study.Options{})
	require.NoError(t, err)
	s, err := script.Open(cell)
	require.NoError(t, err)
	defer s.Close()
	var lines []result.Line
	for {
		line, ok := s.Next()
		if !ok {
			break
		}
		lines = append(lines, line)
	}
	require.NoError(t, s.Err())
	return lines, s.Config
}

func TestTotalsEqualTheResults(t *testing.T) {
	for _, file := range []string{"long-beside-short.yaml", "cancel-storm.yaml", "bursty-chat.yaml", "shared-prefix.yaml"} {
		t.Run(file, func(t *testing.T) {
			lines, config := events(t, file, 1)
			s := state.New(state.Setup{Lanes: config.Lanes, Promised: config.PromptShare})
			rec := result.NewRecorder(result.Options{Lanes: config.Lanes})
			for i := range lines {
				s.Apply(&lines[i].Event, lines[i].Request)
				e := lines[i].Event
				if e.Kind == core.EventSubmitted {
					rec.Expect(e.ID, result.Meta{Name: lines[i].Request, Sent: e.At, Prompt: e.Rows, Output: e.Tokens})
				}
				rec.Record(&e)
			}
			want := rec.Result(s.Now).Totals
			got := &s.Total
			require.EqualValues(t, want.Rounds, got.Rounds)
			require.EqualValues(t, want.Passes, got.Passes)
			require.EqualValues(t, want.Steps, got.Steps)
			require.EqualValues(t, want.Done, got.Done)
			require.EqualValues(t, want.Cancelled, got.Cancelled)
			share, ok := got.Share()
			require.Equal(t, want.Share.Valid, ok)
			if ok {
				require.InDelta(t, want.Share.Value, share, 1e-9)
			}
			require.InDelta(t, want.Gap.Max.Value, float64(got.Gaps.Max())/1000, 1e-6)
			p95, _ := got.Gaps.Quantile(0.95)
			require.InEpsilon(t, want.Gap.P95.Value, float64(p95)/1000, 0.05)
			require.Zero(t, s.Waiting())
			require.Zero(t, s.Filling())
			require.Zero(t, s.Decoding())
		})
	}
}

// What a slot shows is right at every event, against sums made by hand.
func TestSlotsFollowEvents(t *testing.T) {
	lines, config := events(t, "long-beside-short.yaml", 2)
	s := state.New(state.Setup{Lanes: config.Lanes})
	emitted := map[core.ID]int{}
	for i := range lines {
		e := &lines[i].Event
		s.Apply(e, lines[i].Request)
		if e.Kind == core.EventTokens {
			emitted[e.ID] += e.Tokens
			r, ok := s.Request(e.ID)
			require.True(t, ok)
			require.Equal(t, emitted[e.ID], r.Emitted)
			require.Equal(t, r.Prompt+r.Emitted, r.Position())
			require.Same(t, r, s.Slots[e.Slot])
		}
		if e.Kind == core.EventRound {
			round, ok := s.Round(s.Total.Rounds)
			require.True(t, ok)
			require.Empty(t, round.Windows)
			if e.Drafts > 0 {
				require.Positive(t, round.Pass.Asks)
			}
		}
	}
	require.Equal(t, 2, s.Ended.Len())
	require.Equal(t, "reply", s.Ended.At(1).Name)
	require.Equal(t, 64, s.Ended.At(1).Emitted)
	require.EqualValues(t, 128, s.Total.Tokens)
	require.Positive(t, s.Total.Stalls)
	last, ok := s.Round(s.Total.Rounds)
	require.True(t, ok)
	require.Len(t, last.Windows, 1)
	_, ok = s.Round(s.Total.Rounds + 1)
	require.False(t, ok)
	chance, ok := s.Chance(0)
	require.True(t, ok)
	require.True(t, chance > 0 && chance <= 1)
	require.NotEmpty(t, s.Shapes())
}

// A stream joined anywhere, or with holes, never breaks the state.
func TestHoles(t *testing.T) {
	lines, config := events(t, "cancel-storm.yaml", 0)
	lines = lines[:min(len(lines), 4000)]
	draw := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		s := state.New(state.Setup{Lanes: config.Lanes * draw.IntN(2)})
		hole := draw.IntN(10)
		for i := draw.IntN(len(lines)); i < len(lines); i++ {
			if draw.IntN(10) < hole {
				continue
			}
			s.Apply(&lines[i].Event, lines[i].Request)
			if draw.IntN(500) == 0 {
				s.Rejoin()
			}
			filling := 0
			for slot, r := range s.Slots {
				if r != nil {
					require.Equal(t, slot, r.Slot)
					if r.Phase == state.Filling {
						filling++
					}
				}
			}
			require.Equal(t, filling, s.Filling())
			require.GreaterOrEqual(t, s.Waiting(), 0)
			require.Len(t, s.Queue(1<<20), s.Waiting())
		}
	}
}

func TestMark(t *testing.T) {
	lines, config := events(t, "long-beside-short.yaml", 1)
	s := state.New(state.Setup{Lanes: config.Lanes})
	half := len(lines) / 2
	for i := range lines {
		if i == half {
			s.Mark()
		}
		s.Apply(&lines[i].Event, lines[i].Request)
	}
	require.EqualValues(t, len(lines), s.Total.Events)
	require.EqualValues(t, len(lines)-half, s.Part.Events)
}

func TestHist(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	var h state.Hist
	_, ok := h.Quantile(0.5)
	require.False(t, ok)
	var all []core.Micros
	for range 5000 {
		x := core.Micros(draw.ExpFloat64() * 50_000)
		all = append(all, x)
		h.Add(x)
	}
	slices.Sort(all)
	for _, q := range []float64{0, 0.01, 0.5, 0.95, 0.99, 1} {
		got, ok := h.Quantile(q)
		require.True(t, ok)
		want := all[int(q*float64(len(all)-1))]
		require.InDelta(t, float64(want), float64(got), float64(want)*0.03+1)
	}
	require.Equal(t, all[len(all)-1], h.Max())
}

func TestRing(t *testing.T) {
	r := state.NewRing[int](3)
	for i := range 10 {
		*r.Add() = i
		for age := range r.Len() {
			require.Equal(t, i-age, *r.At(age))
		}
	}
	require.Equal(t, 3, r.Len())
}

func BenchmarkApply(b *testing.B) {
	lines, config := events(b, "bursty-chat.yaml", 1)
	b.ReportAllocs()
	b.ResetTimer()
	var s *state.State
	for i := range b.N {
		k := i % len(lines)
		if k == 0 {
			s = state.New(state.Setup{Lanes: config.Lanes})
		}
		s.Apply(&lines[k].Event, lines[k].Request)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
