package engine_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// Drafted equals undrafted and concurrent equals alone, in pieces and whole,
// on both clocks.
func TestSameTokens(t *testing.T) {
	const n = 24
	want := make([][]device.Token, n)
	request := func(i int) engine.Request { return ask(i, 5+37*i%211, 20+13*i%90) }
	for i := range want {
		want[i] = alone(t, request(i))
	}
	for name, change := range map[string]func(*engine.Options){
		"whole prompts":  nil,
		"in steps":       func(o *engine.Options) { steps(&o.Config, 16) },
		"measured rule":  func(o *engine.Options) { o.Config.Rule = core.RuleMeasured; steps(&o.Config, 50) },
		"small launches": func(o *engine.Options) { o.Config.LaunchRows = 7 },
		"a fake clock":   func(o *engine.Options) { o.Clock = &ticks{wake: make(chan struct{}, 1)} },
		"kept states":    func(o *engine.Options) { o.CacheBytes = 1 << 20 },
	} {
		t.Run(name, func(t *testing.T) {
			l := start(t, fake.Open(fake.Options{Ends: true}), change)
			var all sync.WaitGroup
			for i := range want {
				all.Go(func() {
					r := request(i)
					reply, err := l.Submit(context.Background(), r)
					require.NoError(t, err)
					got, err := reply.All(context.Background())
					require.NoError(t, err)
					x := reply.Result()
					require.Equal(t, want[i], got)
					require.Equal(t, engine.Hash(got), x.SHA)
					require.True(t, x.Exact)
					require.Equal(t, len(got), x.Tokens)
					if got[len(got)-1] == 0 {
						require.Equal(t, "end", x.Reason)
					} else {
						require.Equal(t, "length", x.Reason)
						require.Len(t, got, r.Output)
					}
				})
			}
			all.Wait()
			s := l.Stats()
			require.EqualValues(t, n, s.Finished)
			require.Zero(t, s.InFlight+s.Waiting+s.Filling+s.Decoding)
			require.Positive(t, s.Accepted)
		})
	}
}

func TestIgnoreEnds(t *testing.T) {
	l := start(t, fake.Open(fake.Options{Ends: true}), nil)
	r := ask(1, 9, 2000)
	ended, x := whole(t, l, r)
	require.Equal(t, "end", x.Reason)
	require.Less(t, len(ended), 2000)
	r.IgnoreEnds = true
	on, x := whole(t, l, r)
	require.Equal(t, "length", x.Reason)
	require.Len(t, on, 2000)
	require.Equal(t, ended, on[:len(ended)])

	seen := 0
	r.Ends = func(device.Token) bool { seen++; return seen == 17 }
	stopped, x := whole(t, l, r)
	require.Equal(t, "end", x.Reason)
	require.Equal(t, on[:17], stopped)
}

// Each token is four bytes, low byte first: others compute the hash, too.
func TestHash(t *testing.T) {
	require.Equal(t, "fb8bbe2ad3ab5292f19bc5d75bbab9b5fbddc5a78ce47ab41b2d3d59bca08596", engine.Hash([]device.Token{1, 258}))
}
