package study_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/sim/trace/tracetest"
)

// playing is a file that plays a trace of a shape on four lanes.
func playing(t testing.TB, machine, kind string, shape tracetest.Shape) *scenario.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace")
	out, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, shape.Write(out, kind))
	require.NoError(t, out.Close())
	f, err := scenario.Parse("day.yaml", []byte("machine: "+machine+"\nserver: {parallel: 4}\ncases: [{name: day, workload: {trace: "+path+"}}]\n"))
	require.NoError(t, err)
	return f
}

// BenchmarkDay plays a day of a server with four lanes and a request a second,
// on one core: on a desktop, whose lanes short replies fill to three quarters,
// and on a GPU with replies of chats, mostly one at a time.
func BenchmarkDay(b *testing.B) {
	for _, c := range []struct {
		machine        string
		prompt, output tracetest.Lengths
	}{
		{"m5-ultra-512gb", tracetest.Lengths{Median: 100, P95: 600}, tracetest.Lengths{Median: 20, P95: 60}},
		{"h200-llamacpp-vulkan", tracetest.Lengths{Median: 400, P95: 2000}, tracetest.Lengths{Median: 50, P95: 200}},
	} {
		b.Run(c.machine, func(b *testing.B) {
			f := playing(b, c.machine, "azure-2024", tracetest.Shape{Seed: 1, Requests: 86_400, Rate: 1, Prompt: c.prompt, Output: c.output})
			b.ReportAllocs()
			for b.Loop() {
				d, err := study.Play(context.Background(), f, study.Options{Workers: 1})
				require.NoError(b, err)
				require.False(b, d.Results[0].Saturated)
				b.ReportMetric(float64(d.Results[0].Totals.Rounds), "rounds")
			}
		})
	}
}

// BenchmarkLongTrace plays a trace of which a machine keeps up with a third,
// and tells the memory that it took from the system.
func BenchmarkLongTrace(b *testing.B) {
	f := playing(b, "m5-ultra-512gb", "azure-2024", tracetest.Shape{
		Seed: 1, Requests: 200_000, Rate: 3, Prompt: tracetest.Lengths{Median: 100, P95: 600}, Output: tracetest.Lengths{Median: 20, P95: 60},
	})
	for b.Loop() {
		_, err := study.Play(context.Background(), f, study.Options{Workers: 1})
		require.NoError(b, err)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys>>20), "MiB")
}
