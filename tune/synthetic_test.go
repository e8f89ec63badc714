package tune

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/random"
)

// synthetic is a world whose truth is known: a cost for each point, and noise
// of which a part is common to all points.
type synthetic struct {
	seed  uint64
	truth func(Point) float64
	noise float64
	parts func(Point) []Part
	fail  func(Point) error
}

func (s *synthetic) Runs() int { return 1 }

func (s *synthetic) Same(p Point) (any, error) { return p.key(), nil }

func (s *synthetic) Play(ctx context.Context, p Point, seed int) (Sample, error) {
	if err := ctx.Err(); err != nil {
		return Sample{}, err
	}
	if s.fail != nil {
		if err := s.fail(p); err != nil {
			return Sample{}, err
		}
	}
	common := random.New(s.seed, "common").Normal(uint64(seed))
	own := random.New(s.seed, p.key()).Normal(uint64(seed))
	out := Sample{Costs: []float64{s.truth(p) + s.noise*(common+own)}}
	if s.parts != nil {
		out.Parts = s.parts(p)
	}
	return out, nil
}

// grid is a space of settings a, b, … with so many values each.
func grid(sizes ...int) *Space {
	s := &Space{}
	for i, n := range sizes {
		d := Dim{Name: string(rune('a' + i)), Values: []string{""}}
		for k := 1; k < n; k++ {
			d.Values = append(d.Values, strconv.Itoa(k))
		}
		s.Dims = append(s.Dims, d)
	}
	return s
}

func find(t testing.TB, of Evaluator, space *Space, o Options) *Found {
	found, err := Search(context.Background(), of, space, o)
	require.NoError(t, err)
	return found
}

// Of 500 candidates one is better, by 5% at a noise of 5%: it is found in at
// least 19 of 20 worlds, on a third of the runs that all of them with all seeds take.
func TestPlantedIsFound(t *testing.T) {
	space := grid(10, 10, 5)
	planted := Point{"7", "3", "2"}
	hits := 0
	for seed := range uint64(20) {
		world := &synthetic{seed: seed, noise: 5, truth: func(p Point) float64 {
			if p.key() == planted.key() {
				return 95
			}
			return 100
		}}
		found := find(t, world, space, Options{Budget: 10_000})
		require.True(t, found.Whole)
		require.LessOrEqual(t, found.Runs, 10_000)
		if found.Winner.Point.key() == planted.key() && found.Verdict() == Recommended {
			hits++
		}
	}
	t.Logf("found in %d of 20", hits)
	require.GreaterOrEqual(t, hits, 19)
}

// A space too large to try whole, each of whose settings matters: the search
// climbs to the best.
func TestPlantedInALargeSpace(t *testing.T) {
	space := grid(4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4)
	hits, plain := 0, 0
	for seed := range uint64(20) {
		world := &synthetic{seed: seed, noise: 1, truth: func(p Point) float64 {
			c := 100.0
			for i, text := range p[:8] {
				if text == strconv.Itoa(1+i%3) {
					c -= 4
				}
			}
			if p[0] == "1" && p[1] == "2" {
				c -= 4
			}
			return c
		}}
		found := find(t, world, space, Options{Budget: 10_000})
		require.False(t, found.Whole)
		if c := world.truth(found.Winner.Point); c == 64 {
			hits++
			if found.Winner.Point.Set() == 8 {
				plain++ // what does not matter is left alone
			}
		}
	}
	t.Logf("found in %d of 20, plain in %d", hits, plain)
	require.GreaterOrEqual(t, hits, 19)
	require.GreaterOrEqual(t, plain, 18)
}

// Where nothing matters, the answer is that nothing does.
func TestNothingMatters(t *testing.T) {
	quiet := 0
	for seed := range uint64(20) {
		world := &synthetic{seed: seed, noise: 5, truth: func(Point) float64 { return 100 }}
		if find(t, world, grid(10, 10, 5), Options{Budget: 8000}).Verdict() == NoDifference {
			quiet++
		}
	}
	t.Logf("no difference in %d of 20", quiet)
	require.GreaterOrEqual(t, quiet, 19)
	// Without noise, too.
	world := &synthetic{truth: func(Point) float64 { return 100 }}
	require.Equal(t, NoDifference, find(t, world, grid(3, 3), Options{Budget: 1000}).Verdict())
	// A difference that is sure and too small to matter.
	world.truth = func(p Point) float64 { return 100 - 0.1*float64(p.Set()) }
	require.Equal(t, NoDifference, find(t, world, grid(3, 3), Options{Budget: 1000}).Verdict())
}

// The best that keeps the constraints, not the best.
func TestConstraintsHold(t *testing.T) {
	world := &synthetic{noise: 0.1, truth: func(p Point) float64 {
		n, _ := number(p[0])
		return 100 - 10*n
	}, parts: func(p Point) []Part {
		n, _ := number(p[0])
		return []Part{{Value: n, Bound: 2, Excess: n - 2}}
	}}
	found := find(t, world, grid(6), Options{Budget: 2000})
	require.Equal(t, Point{"2"}, found.Winner.Point)
	require.Equal(t, Recommended, found.Verdict())
	world.parts = func(Point) []Part { return []Part{{Value: 3, Bound: 2, Excess: 1}} }
	require.Equal(t, Infeasible, find(t, world, grid(6), Options{Budget: 2000}).Verdict())
}

// A number between the values is found.
func TestRefined(t *testing.T) {
	space := &Space{Dims: []Dim{{Name: "x", Values: []string{"", "0.1", "0.5", "0.9"}, Min: 0, Max: 1, Grain: 0.01}}}
	world := &synthetic{noise: 0.01, truth: func(p Point) float64 {
		x, ok := number(p[0])
		if !ok {
			return 10
		}
		return 1 + (x-0.34)*(x-0.34)*10
	}}
	found := find(t, world, space, Options{Budget: 4000})
	x, _ := number(found.Winner.Point[0])
	require.InDelta(t, 0.34, x, 0.04)
}

// Numbers that act together are found together: along each of them alone there
// is nothing to gain.
func TestRefinedTogether(t *testing.T) {
	values := []string{"", "0.1", "0.5", "0.9"}
	space := &Space{Dims: []Dim{
		{Name: "x", Values: values, Max: 1, Grain: 0.01}, {Name: "y", Values: values, Max: 1, Grain: 0.01},
	}}
	world := &synthetic{noise: 0.01, truth: func(p Point) float64 {
		x, okX := number(p[0])
		y, okY := number(p[1])
		if !okX || !okY {
			return 10
		}
		return 1 + 100*(x-y)*(x-y) + 10*(x+y-1.3)*(x+y-1.3)
	}}
	found := find(t, world, space, Options{Budget: 8000})
	x, _ := number(found.Winner.Point[0])
	y, _ := number(found.Winner.Point[1])
	require.InDelta(t, 0.65, x, 0.05)
	require.InDelta(t, 0.65, y, 0.05)
}

// Results do not depend on the number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	of := func(workers int) string {
		world := &synthetic{seed: 3, noise: 3, truth: func(p Point) float64 { return 100 - float64(p.Set()) }}
		return fmt.Sprintf("%+v", describe(find(t, world, grid(4, 4, 4, 4, 4, 4, 4, 4, 4), Options{Budget: 3000, Runner: NewLocal(world, workers)})))
	}
	one := of(1)
	for _, workers := range []int{2, 7} {
		require.Equal(t, one, of(workers))
	}
}

func describe(f *Found) []any {
	return []any{f.Winner.Point, f.Winner.Cost(), f.Default.Cost(), f.Second.Point, f.Sensitivity, f.End, f.Runs, f.Candidates}
}

// A search that is interrupted gives what it has.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	world := &synthetic{noise: 3, truth: func(p Point) float64 { return 100 - float64(p.Set()) }}
	found, err := Search(ctx, world, grid(10, 10, 5), Options{Budget: 8000, Progress: func(done, _ int) {
		if done == 3000 {
			cancel()
		}
	}})
	require.NoError(t, err)
	require.Equal(t, EndInterrupted, found.End)
	require.Equal(t, Interrupted, found.Verdict())
	require.False(t, found.Confirmed)
	require.NotNil(t, found.Winner)
	cancel()
	_, err = Search(ctx, world, grid(3), Options{Budget: 100})
	require.ErrorIs(t, err, ErrStopped)
}

func TestSearchErrors(t *testing.T) {
	world := &synthetic{truth: func(Point) float64 { return 1 }}
	_, err := Search(context.Background(), world, grid(3), Options{})
	require.EqualError(t, err, "a budget of 0 runs; want at least 1")
	_, err = Search(context.Background(), world, grid(3), Options{Budget: 3})
	require.ErrorContains(t, err, "too small")
	world.fail = func(p Point) error { return fmt.Errorf("no") }
	_, err = Search(context.Background(), world, grid(3), Options{Budget: 300})
	require.ErrorContains(t, err, "no")
}

// No budget is overrun, and each that is enough for a candidate has an answer.
func TestBudgetHolds(t *testing.T) {
	spaces := []*Space{grid(4, 4, 4, 4, 4), grid(3, 3), grid(9)}
	spaces[2].Dims[0].Max, spaces[2].Dims[0].Grain = 20, 0.1
	for budget := 20; budget < 6000; budget += 1 + budget/7 {
		for i, space := range spaces {
			world := &synthetic{seed: uint64(budget), noise: 1, truth: func(p Point) float64 {
				n, _ := number(p[0])
				return 100 - n
			}}
			found := find(t, world, space, Options{Budget: budget})
			require.LessOrEqual(t, found.Runs, budget)
			require.NotNil(t, found.Winner, i)
			require.NotNil(t, found.Default)
			require.NotEmpty(t, found.Verdict())
		}
	}
}
