package report

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
)

func TestSpreadIsWithinOnePercent(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var s spread
		var all []core.Micros
		for range 1 + rng.IntN(400) {
			v := core.Micros(rng.Int64N(int64(1) << rng.IntN(40)))
			s.add(v)
			all = append(all, v)
		}
		slices.Sort(all)
		assert.Equal(t, all[len(all)-1], s.percentile(100))
		for _, p := range []int64{1, 50, 95, 99} {
			want := all[max((int64(len(all))*p+99)/100, 1)-1]
			got := s.percentile(p)
			assert.InDelta(t, float64(want), float64(got), float64(want)/100)
		}
		points := s.points()
		assert.Equal(t, s.n, points[len(points)-1].upTo)
	}
}

// The columns of a lane hold its time, however long the run.
func TestColumnsHoldTheTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		r := NewRun(Place{}, nil)
		var at, want core.Micros
		for range 20_000 {
			at += core.Micros(rng.Int64N(1 << 20))
			wall := core.Micros(rng.Int64N(1 << 18))
			at += wall
			r.Record(&core.Event{At: at, Kind: core.EventPass, Wall: wall})
			want += wall
		}
		window := span{from: r.begin, to: r.end}
		require.Less(t, r.whole, r.end)
		for _, n := range []int{100, 1000} {
			c := r.cut(r.lanes[0], window, n)
			var got core.Micros
			for _, cell := range c.cells {
				got += core.Micros(cell[markPass])
			}
			assert.Equal(t, want, got)
			assert.LessOrEqual(t, len(c.cells), 2*mostColumns)
		}
		// What is kept in full agrees with the columns.
		early := span{from: r.begin, to: r.whole}
		c := r.cut(r.lanes[0], early, 50)
		var got, kept core.Micros
		for _, cell := range c.cells {
			got += core.Micros(cell[markPass])
		}
		for _, s := range r.lanes[0].spans {
			kept += min(s.to, early.to) - min(s.from, early.to)
		}
		assert.InDelta(t, float64(kept), float64(got), float64(c.width))
	}
}

// A timeline stays small however many events there are.
func TestLongRunsStaySmall(t *testing.T) {
	r := NewRun(Place{Arm: "long"}, nil)
	var e core.Event
	for i := range 64 {
		e = core.Event{Kind: core.EventSubmitted, ID: core.ID(i + 1), Slot: -1}
		r.Record(&e)
		e = core.Event{Kind: core.EventAdmitted, ID: core.ID(i + 1), Slot: i}
		r.Record(&e)
	}
	for at := core.Micros(20_000); at < 200_000_000; at += 20_000 {
		e = core.Event{At: at, Kind: core.EventRound, Windows: 64, Tokens: 64, Wall: 18_000, Slot: -1}
		r.Record(&e)
		for i := range 64 {
			if (at/20_000+core.Micros(i))%7 > 0 {
				e = core.Event{At: at, Kind: core.EventTokens, ID: core.ID(i + 1), Slot: i, Tokens: 1, Wall: 18_000}
				r.Record(&e)
			}
		}
	}
	tl := newTimeline(r, 0, wholeOf([]*Run{r}))
	size := 0
	for _, p := range tl.Paths {
		size += len(p.D)
	}
	assert.Less(t, size, 600_000)
	assert.True(t, tl.Columned)
}

// A run that begins late, as a live one does, is drawn from its beginning.
func TestLateBeginning(t *testing.T) {
	const day = core.Micros(86_400_000_000)
	r := NewRun(Place{Arm: "live"}, nil)
	for i := range core.Micros(10) {
		r.Record(&core.Event{At: 20_000*day + i*1000, Kind: core.EventPass, Wall: 500})
	}
	assert.Equal(t, core.Micros(firstWidth), r.width)
	assert.Equal(t, core.Micros(9_500), r.end-r.begin)
}

func TestTicks(t *testing.T) {
	texts := func(list []tick) (out []string) {
		for _, k := range list {
			assert.GreaterOrEqual(t, k.at, 0.0)
			assert.LessOrEqual(t, k.at, 1.0)
			out = append(out, k.text)
		}
		return out
	}
	assert.Equal(t, []string{"0 s", "30 s", "60 s", "90 s", "120 s"}, texts(timeTicks(0, 141_000_000, 6)))
	assert.Equal(t, []string{"0.2 s", "0.4 s", "0.6 s", "0.8 s", "1 s", "1.2 s"}, texts(timeTicks(100_000, 1_230_000, 6)))
	assert.Equal(t, []string{"0 h", "8 h", "16 h"}, texts(timeTicks(0, 20*3_600_000_000, 3)))
	assert.Empty(t, timeTicks(5, 5, 6))
	assert.Equal(t, []string{"10 ms", "100 ms", "1 s", "10 s", "100 s"}, texts(newLogScale(10_000, 100_000_000).ticks()))
	assert.Equal(t, []string{"20 ms", "50 ms", "100 ms"}, texts(newLogScale(23_000, 57_000).ticks()))
	ticks, top := valueTicks(138, 5)
	assert.Equal(t, []string{"0", "50", "100", "150"}, texts(ticks))
	assert.InDelta(t, 150, top, 1e-9)
}
