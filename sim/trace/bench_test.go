package trace_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/trace"
	"github.com/tfsim/tfsim/sim/trace/tracetest"
)

// BenchmarkRead reads 20,000 requests of each format.
func BenchmarkRead(b *testing.B) {
	shape := tracetest.Sample
	shape.Requests, shape.Rate = 20_000, 1
	for _, s := range tracetest.Samples {
		b.Run(s.Kind, func(b *testing.B) {
			var data bytes.Buffer
			require.NoError(b, shape.Write(&data, s.Kind))
			b.SetBytes(int64(data.Len()))
			b.ReportAllocs()
			for b.Loop() {
				tr, err := trace.New("x", bytes.NewReader(data.Bytes()), trace.Options{})
				require.NoError(b, err)
				var r trace.Request
				for err == nil {
					err = tr.Next(&r)
				}
				require.True(b, errors.Is(err, io.EOF), err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*shape.Requests), "ns/request")
		})
	}
}
