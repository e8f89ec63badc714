package engine_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// A random crowd: some cancel, some never read, the device is lost now and
// then; every reply that ends is right, and nothing is left.
func TestCrowd(t *testing.T) {
	var calls atomic.Int32
	d := fake.Open(fake.Options{OnCall: func(string) error {
		if calls.Add(1)%400 == 0 {
			return device.ErrLost
		}
		return nil
	}})
	l := start(t, d, func(o *engine.Options) { steps(&o.Config, 32); o.CacheBytes = 20_000 })
	var all sync.WaitGroup
	for i := range 200 {
		r := ask(i%17, 10+7*(i%13), 5+i%40)
		r.NoDraft, r.Background = i%5 == 0, i%7 == 0
		all.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			reply, err := l.Submit(ctx, r)
			require.NoError(t, err)
			switch i % 4 {
			case 0:
				time.Sleep(time.Duration(i) * 20 * time.Microsecond)
				cancel()
			case 1: // nobody reads
				return
			default:
				tokens, err := reply.All(context.Background())
				if err == nil {
					require.Equal(t, reply.Result().SHA, engine.Hash(tokens))
				}
			}
		})
	}
	all.Wait()
	require.Eventually(t, func() bool { return l.Stats().InFlight == 0 }, 5*time.Second, time.Millisecond)
}
