package study_test

import (
	"context"
	"os"
	"path/filepath"
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

// day is a request a second, as long as four lanes of a large GPU can serve.
var day = tracetest.Shape{
	Seed: 1, Requests: 86_400, Rate: 1,
	Prompt: tracetest.Lengths{Median: 400, P95: 2000}, Output: tracetest.Lengths{Median: 50, P95: 200},
}

// BenchmarkDay plays a day of a server with four lanes on one core.
func BenchmarkDay(b *testing.B) {
	for _, machine := range []string{"large-gpu", "h200-llamacpp-vulkan", "m5-ultra-512gb"} {
		b.Run(machine, func(b *testing.B) {
			f := playing(b, machine, "azure-2024", day)
			b.ReportAllocs()
			for b.Loop() {
				d, err := study.Play(context.Background(), f, study.Options{Workers: 1})
				require.NoError(b, err)
				b.ReportMetric(float64(d.Results[0].Totals.Rounds), "rounds")
				b.ReportMetric(d.Results[0].Totals.DeviceBusy.Value, "busy")
			}
		})
	}
}
