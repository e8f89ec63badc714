package server_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
)

// An engine that stops by itself ends the server, which says why, once.
func TestEngineStops(t *testing.T) {
	d := fake.Open(fake.Options{})
	r := serve(t, d, nil)
	require.NoError(t, d.Close())
	_, err := r.client.Chat.Completions.New(context.Background(), hello("x", 3))
	require.Error(t, err)
	require.EqualError(t, <-r.ended, device.ErrClosed.Error())
	r.ended <- nil
}

// Told to end, the server says so, finishes what runs and takes nothing new.
func TestShutdown(t *testing.T) {
	var calls atomic.Int32
	told := make(chan struct{})
	d := fake.Open(fake.Options{OnCall: func(string) error {
		if calls.Add(1) == 20 {
			<-told
		}
		time.Sleep(300 * time.Microsecond)
		return nil
	}})
	notes := make(chan string, 8)
	r := serve(t, d, func(e *engine.Options, _ *server.Options) { e.Notes = notes })
	p := hello("x", 300)
	stream := r.client.Chat.Completions.NewStreaming(context.Background(), p)
	require.True(t, stream.Next())
	r.stop()
	require.Equal(t, "ending: replies in flight have 5s", <-notes)
	close(told)
	require.Eventually(t, func() bool {
		_, err := r.client.Chat.Completions.New(context.Background(), p)
		return err != nil
	}, 2*time.Second, time.Millisecond)
	text := ""
	last := ""
	for stream.Next() {
		text += stream.Current().Choices[0].Delta.Content
		last = stream.Current().Choices[0].FinishReason
	}
	require.NoError(t, stream.Err())
	require.Equal(t, "length", last)
	require.NotEmpty(t, text)
	r.ended <- <-r.ended
}
