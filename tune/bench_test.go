package tune

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tune/goal"
)

const beside = "../scenarios/long-beside-short.yaml"

// field opens scenario files with aims given as texts, the first of them
// objectives.
func field(t testing.TB, space *Space, paths []string, objectives string, constraints ...string) *Field {
	var probes []*study.Probe
	for _, path := range paths {
		f, err := scenario.Load(path)
		require.NoError(t, err)
		p, err := study.NewProbe(f, study.Options{})
		require.NoError(t, err)
		probes = append(probes, p)
	}
	var aims Aims
	var err error
	aims.Objectives, err = goal.ParseObjectives(objectives)
	require.NoError(t, err)
	for _, text := range constraints {
		c, err := goal.ParseConstraint(text)
		require.NoError(t, err)
		aims.Constraints = append(aims.Constraints, c)
	}
	f, err := NewField(space, probes, aims)
	require.NoError(t, err)
	return f
}

// BenchmarkThousandCandidates plays 1,000 different candidates with 8 seeds in
// both cases of long-beside-short: 16,000 runs.
func BenchmarkThousandCandidates(b *testing.B) {
	space, err := NewSpace(nil, nil)
	require.NoError(b, err)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				f := field(b, space, []string{beside}, "min done_s(reply)", "ttft_s(long) <= 1.05 * base")
				book := newBook(space, f)
				book.addAll(space.mixtures(2000)...)
				p := newPool(context.Background(), f, Options{Budget: 1 << 30, Runner: NewLocal(f, workers)})
				done := p.extend(book.trials[:1000], 8, searching)
				require.Len(b, done, 1000)
			}
			b.ReportMetric(1000*float64(b.N)/b.Elapsed().Seconds(), "candidates/s")
		})
	}
}

// BenchmarkCores plays the same on one core and on so many, a worker on each:
// speedup is how much faster that is, and of-linear the part of what that many
// cores could give at best.
func BenchmarkCores(b *testing.B) {
	space, err := NewSpace(nil, nil)
	require.NoError(b, err)
	f := field(b, space, []string{beside}, "min done_s(reply)", "ttft_s(long) <= 1.05 * base")
	book := newBook(space, f)
	book.addAll(space.mixtures(400)...)
	play := func(workers int) time.Duration {
		// Garbage is collected on the same cores.
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		began := time.Now()
		p := newPool(context.Background(), f, Options{Budget: 1 << 30, Runner: NewLocal(f, workers)})
		for _, t := range book.trials {
			t.samples = nil
		}
		p.extend(book.trials, 8, searching)
		return time.Since(began)
	}
	play(1) // the base's figures are kept
	for cores := 2; cores <= runtime.GOMAXPROCS(0); cores *= 2 {
		b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
			var one, all time.Duration
			for b.Loop() {
				one += play(1)
				all += play(cores)
			}
			speedup := one.Seconds() / all.Seconds()
			b.ReportMetric(speedup, "speedup")
			b.ReportMetric(speedup/float64(cores), "of-linear")
		})
	}
}

// BenchmarkTune is the whole of a search at the default budget.
func BenchmarkTune(b *testing.B) {
	space, err := NewSpace(nil, nil)
	require.NoError(b, err)
	for b.Loop() {
		f := field(b, space, []string{beside}, "min done_s(reply)", "ttft_s(long) <= 1.05 * base")
		starts, _, _ := f.Starts()
		_, err := Search(context.Background(), f, space, Options{Budget: 10_000, Starts: starts})
		require.NoError(b, err)
	}
}
