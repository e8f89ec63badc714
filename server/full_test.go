package server_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
)

// A full server says so; a client that leaves frees its place.
func TestFullAndGone(t *testing.T) {
	gate := make(chan struct{})
	var open atomic.Bool
	d := fake.Open(fake.Options{Slots: 1, OnCall: func(string) error {
		if !open.Load() {
			<-gate
		}
		return nil
	}})
	r := serve(t, d, func(e *engine.Options, _ *server.Options) { e.Config.Queue = 1 })
	ctx, leave := context.WithCancel(context.Background())
	var gone sync.WaitGroup
	for range 2 {
		gone.Go(func() {
			_, err := r.client.Chat.Completions.New(ctx, hello("x", 3000))
			require.ErrorIs(t, err, context.Canceled)
		})
	}
	require.Eventually(t, func() bool { return r.live.Stats().InFlight == 2 }, 5*time.Second, time.Millisecond)
	status, header, v := r.post(t, "/v1/completions", `{"prompt": "x"}`)
	require.Equal(t, 503, status)
	require.Equal(t, "1", header.Get("Retry-After"))
	require.Equal(t, "server_full", v["error"].(map[string]any)["code"])
	leave()
	gone.Wait()
	open.Store(true)
	close(gate)
	require.Eventually(t, func() bool { return r.live.Stats().InFlight == 0 }, 5*time.Second, time.Millisecond)
	require.EqualValues(t, 2, r.live.Stats().Cancelled)
	_, err := r.client.Chat.Completions.New(context.Background(), hello("x", 10))
	require.NoError(t, err)
}
