package recorded_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/sim/recorded"
)

// The first step after a while of nothing to do is told from others, also where
// a slot was taken before it; not where a state was restored, which is work.
func TestIdleSteps(t *testing.T) {
	for _, c := range []struct {
		cache int64
		want  []bool
	}{{0, []bool{false, true, true}}, {1 << 20, []bool{false, true, false}}} {
		clock := &virtual{wake: make(chan struct{}, 1)}
		d := &quick{}
		d.Device = fake.Open(fake.Options{Cost: func(w fake.Work) time.Duration {
			clock.now.Add(cost(w).Microseconds())
			d.worked += cost(w)
			return 0
		}})
		var file bytes.Buffer
		o := engine.Options{Config: core.DefaultConfig(), Clock: clock, Record: &file, CacheBytes: c.cache}
		o.Config.Lanes, o.Config.LaunchRows, o.Config.Drafts = 1, 8, false
		o.Config.Prices, _ = prices(nil)
		l, err := engine.Start(d, o)
		require.NoError(t, err)
		for _, first := range []device.Token{1, 2, 1} {
			prompt := make([]device.Token, 64)
			for k := range prompt {
				prompt[k] = first + device.Token(k)
			}
			reply, err := l.Submit(context.Background(), engine.Request{Prompt: prompt, Output: 4})
			require.NoError(t, err)
			_, err = reply.All(context.Background())
			require.NoError(t, err)
			require.NoError(t, l.Check(context.Background())) // all that it decided is done
			clock.now.Add(int64(costmodel.IdleLeast))
		}
		require.NoError(t, l.Drain(context.Background()))
		r, err := recorded.Read(file.Bytes(), prices)
		require.NoError(t, err)
		var idle []bool
		for _, c := range r.Timed.Chunks {
			idle = append(idle, c.Idle)
		}
		require.Equal(t, c.want, idle, "cache of %d bytes", c.cache)
	}
}
