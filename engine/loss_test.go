package engine_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// losing makes every n-th call lose the device, most times at most.
func losing(n, most int32) func(string) error {
	var calls, lost atomic.Int32
	return func(string) error {
		if calls.Add(1)%n == 0 && lost.Add(1) <= most {
			return device.ErrLost
		}
		return nil
	}
}

// A device that is lost comes back, and nobody notices.
func TestLoss(t *testing.T) {
	for name, change := range map[string]func(*engine.Options){
		"whole": nil,
		"steps": func(o *engine.Options) { steps(&o.Config, 20) },
	} {
		t.Run(name, func(t *testing.T) {
			l := start(t, fake.Open(fake.Options{Ends: true, OnCall: losing(97, 6)}), change)
			var all sync.WaitGroup
			for i := range 12 {
				r := ask(i, 30+i, 60)
				want := alone(t, r)
				all.Go(func() {
					reply, err := l.Submit(context.Background(), r)
					require.NoError(t, err)
					got, err := reply.All(context.Background())
					require.NoError(t, err)
					require.Equal(t, want, got)
				})
			}
			all.Wait()
			s := l.Stats()
			require.Positive(t, s.Losses)
			require.Positive(t, s.Restarts)
		})
	}
}

// A device that fails again and again fails its requests; once it works, the
// engine does.
func TestHopeless(t *testing.T) {
	var bad atomic.Bool
	bad.Store(true)
	d := fake.Open(fake.Options{OnCall: func(string) error {
		if bad.Load() {
			return fmt.Errorf("%w: on fire", device.ErrLost)
		}
		return nil
	}})
	l := start(t, d, nil)
	for range 3 {
		reply, err := l.Submit(context.Background(), ask(2, 10, 5))
		require.NoError(t, err)
		_, err = reply.All(context.Background())
		require.ErrorIs(t, err, engine.ErrDevice)
		require.ErrorContains(t, err, "on fire")
		require.Equal(t, engine.DeviceFailed, l.Device())
	}
	bad.Store(false)
	require.NoError(t, l.Check(context.Background()))
	require.Equal(t, engine.DeviceThere, l.Device(), "a check brought it back")
	whole(t, l, ask(2, 10, 5))
	require.Equal(t, engine.DeviceThere, l.Device())
}

// A device that is lost while nobody asks anything is brought back by a check.
func TestCheck(t *testing.T) {
	d := fake.Open(fake.Options{})
	l := start(t, d, nil)
	require.NoError(t, l.Check(context.Background()))
	require.Zero(t, l.Stats().Restarts)
	d.Lose()
	require.NoError(t, l.Check(context.Background()))
	whole(t, l, ask(2, 10, 5))
	require.EqualValues(t, 1, l.Stats().Restarts)
	require.Zero(t, l.Stats().Losses)
}

// What fails in a round fails its lanes alone.
func TestFailedRound(t *testing.T) {
	var fails atomic.Bool
	d := fake.Open(fake.Options{OnCall: func(name string) error {
		if name == "verify" && fails.CompareAndSwap(true, false) {
			return fmt.Errorf("%w: bad luck", device.ErrFailed)
		}
		return nil
	}})
	l := start(t, d, nil)
	fails.Store(true)
	reply, err := l.Submit(context.Background(), ask(2, 10, 50))
	require.NoError(t, err)
	_, err = reply.All(context.Background())
	require.ErrorContains(t, err, "bad luck")
	require.Equal(t, "failed", reply.Result().Reason)
	got, _ := whole(t, l, ask(2, 10, 50))
	require.Equal(t, alone(t, ask(2, 10, 50)), got)
}
