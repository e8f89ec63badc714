package engine_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// What the engine costs a round over the device's own time.
func BenchmarkRound(b *testing.B) {
	b.Run("plain", func(b *testing.B) { benchmarkRound(b, nil) })
	b.Run("recorded", func(b *testing.B) { benchmarkRound(b, io.Discard) })
}

func benchmarkRound(b *testing.B, record io.Writer) {
	d := fake.Open(fake.Options{Context: 1 << 20})
	l, err := engine.Start(d, engine.Options{Config: config(d), Record: record})
	require.NoError(b, err)
	defer l.Close()
	var replies []*engine.Reply
	submit := func() {
		replies = replies[:0]
		for i := range 4 {
			r := ask(2*i, 10, 1<<19)
			r.NoDraft = true
			reply, err := l.Submit(context.Background(), r)
			require.NoError(b, err)
			replies = append(replies, reply)
		}
	}
	submit()
	before := l.Stats().Rounds
	b.ResetTimer()
	for l.Stats().Rounds-before < uint64(b.N) {
		if l.Stats().InFlight == 0 {
			submit() // they have ended
		}
		time.Sleep(time.Millisecond)
	}
	n := l.Stats().Rounds - before
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "µs/round")
	for _, r := range replies {
		r.Cancel()
	}
}
