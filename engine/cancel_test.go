package engine_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
)

// A cancel stops a prompt between two chunks, and the lane is free.
func TestCancelInPrompt(t *testing.T) {
	chunk := make(chan struct{})
	var rows atomic.Int32
	d := fake.Open(fake.Options{Slots: 1, OnChunk: func(_, n int) {
		if rows.Add(int32(n)) == 5*32 {
			close(chunk)
			time.Sleep(20 * time.Millisecond)
		}
	}})
	l := start(t, d, nil)
	ctx, cancel := context.WithCancel(context.Background())
	reply, err := l.Submit(ctx, ask(2, 3000, 5))
	require.NoError(t, err)
	<-chunk
	cancel()
	_, err = reply.All(context.Background())
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, "cancelled", reply.Result().Reason)
	require.Less(t, rows.Load(), int32(500))
	got, _ := whole(t, l, ask(4, 10, 20))
	require.Equal(t, alone(t, ask(4, 10, 20)), got)
}

func TestDeadline(t *testing.T) {
	d := fake.Open(fake.Options{OnCall: func(string) error { time.Sleep(time.Millisecond); return nil }})
	l := start(t, d, nil)
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer stop()
	reply, err := l.Submit(ctx, ask(2, 10, 3000))
	require.NoError(t, err)
	got, err := reply.All(context.Background())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotEmpty(t, got)
	require.Equal(t, len(got), reply.Result().Tokens)
}
