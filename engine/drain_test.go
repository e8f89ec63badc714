package engine_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

func TestDrain(t *testing.T) {
	d := fake.Open(fake.Options{OnCall: func(string) error { time.Sleep(100 * time.Microsecond); return nil }})
	l := start(t, d, nil)
	reply, err := l.Submit(context.Background(), ask(2, 10, 200))
	require.NoError(t, err)
	drained := make(chan error)
	go func() { drained <- l.Drain(context.Background()) }()
	require.Eventually(t, func() bool {
		_, err := l.Submit(context.Background(), ask(3, 10, 5))
		return errors.Is(err, engine.ErrDraining)
	}, time.Second, time.Millisecond)
	got, err := reply.All(context.Background())
	require.NoError(t, err)
	require.Len(t, got, 200)
	require.NoError(t, <-drained)
}

func TestDrainRunsOut(t *testing.T) {
	d := fake.Open(fake.Options{OnCall: func(string) error { time.Sleep(time.Millisecond); return nil }})
	l := start(t, d, nil)
	reply, err := l.Submit(context.Background(), ask(2, 10, 4000))
	require.NoError(t, err)
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer stop()
	require.ErrorIs(t, l.Drain(ctx), context.DeadlineExceeded)
	_, err = reply.All(context.Background())
	require.ErrorIs(t, err, engine.ErrDraining)
}
