package server_test

import (
	"context"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/engine"
)

// Mixed requests, some given up, and the process of the device killed in the
// middle: every reply that ends has the tokens that it has alone, undrafted.
func TestModelCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a quarter of a minute: left out by -short")
	}
	client, d, live := pair(t, func(o *engine.Options) { o.Config.Rule, o.Config.Depth = core.RuleEarlier, core.DepthStatic })
	ctx := context.Background()
	const kinds, requests = 40, 200
	want := make([]string, kinds)
	for i := range want {
		p := piece(i)
		p.SetExtraFields(map[string]any{"draft": false})
		alone, err := client.Completions.New(ctx, p)
		require.NoError(t, err)
		a := about(t, alone.RawJSON())
		require.Equal(t, runtime.GOARCH == "amd64", a.Exact)
		want[i] = a.SHA
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("exact replies are not promised on this processor, so there is nothing to compare")
	}
	started := time.Now()
	var all sync.WaitGroup
	var finished, drafted int
	var mu sync.Mutex
	lanes := make(chan struct{}, 12)
	for i := range requests {
		if i == 60 || i == 130 {
			p, err := os.FindProcess(d.PID())
			require.NoError(t, err)
			require.NoError(t, p.Kill())
		}
		lanes <- struct{}{}
		all.Go(func() {
			defer func() { <-lanes }()
			ctx, leave := context.WithCancel(ctx)
			defer leave()
			if i%8 == 3 {
				time.AfterFunc(time.Duration(i)*50*time.Microsecond, leave)
			}
			reply, err := client.Completions.New(ctx, piece(i%kinds))
			if ctx.Err() != nil {
				return
			}
			require.NoError(t, err)
			a := about(t, reply.RawJSON())
			require.Equal(t, want[i%kinds], a.SHA, "request %d", i)
			mu.Lock()
			finished++
			drafted += a.Drafted
			mu.Unlock()
		})
	}
	all.Wait()
	s := live.Stats()
	require.EqualValues(t, 2, s.Restarts)
	require.Greater(t, drafted, 1000)
	require.GreaterOrEqual(t, finished, requests*3/4)
	t.Logf("%d of %d replies in %s, %d tokens, %d of %d drafts kept, %d slots lost", finished, requests,
		time.Since(started).Round(time.Millisecond), s.Tokens, s.Accepted, s.Drafted, s.Losses)
}
