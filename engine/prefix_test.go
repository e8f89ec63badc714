package engine_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// together submits requests that all wait when the first begins, and gives
// what came of them and the order in which prompts began and were in.
func together(t *testing.T, change func(*engine.Options), requests ...engine.Request) ([]engine.Result, []core.Event) {
	t.Helper()
	gate := make(chan struct{})
	var once sync.Once
	l := start(t, fake.Open(fake.Options{OnCall: func(string) error { once.Do(func() { <-gate }); return nil }}), func(o *engine.Options) {
		o.CacheBytes = 1 << 20
		steps(&o.Config, 64)
		change(o)
	})
	watch := l.Watch(1 << 12)
	defer watch.Stop()
	var replies []*engine.Reply
	for _, r := range requests {
		reply, err := l.Submit(context.Background(), r)
		require.NoError(t, err)
		replies = append(replies, reply)
	}
	close(gate)
	var results []engine.Result
	for i, reply := range replies {
		got, err := reply.All(context.Background())
		require.NoError(t, err)
		require.Equal(t, alone(t, requests[i]), got)
		results = append(results, reply.Result())
	}
	var order []core.Event
	for ended := 0; ended < len(requests); {
		events, gap, err := watch.Next(context.Background(), nil)
		require.NoError(t, err)
		require.Zero(t, gap)
		for _, e := range events {
			switch {
			case e.Kind == core.EventFinished:
				ended++
			case e.Kind == core.EventAdmitted, e.Kind == core.EventStep && e.Last:
				order = append(order, e)
			}
		}
	}
	return results, order
}

func places(order []core.Event, kind core.EventKind) map[core.ID]int {
	at := map[core.ID]int{}
	for i, e := range order {
		if e.Kind == kind {
			at[e.ID] = i
		}
	}
	return at
}

// Prompts that begin alike and come at once: the first runs, the others wait
// for its state and start from it; one that begins otherwise goes ahead.
func TestPrefixWait(t *testing.T) {
	first := ask(2, 1000, 5)
	longer := engine.Request{Prompt: append(append([]device.Token{}, first.Prompt[:900]...), prompt(5, 300)...), Output: 5}
	other := ask(8, 400, 5)
	brief := engine.Request{Prompt: append(append([]device.Token{}, first.Prompt[:100]...), prompt(6, 60)...), Output: 5}
	results, order := together(t, func(*engine.Options) {}, first, first, longer, other, brief)
	admitted, in := places(order, core.EventAdmitted), places(order, core.EventStep)
	require.Zero(t, results[0].Cached)
	require.Equal(t, 999, results[1].Cached)
	require.Equal(t, 900, results[2].Cached)
	require.Greater(t, admitted[2], in[1])
	require.Greater(t, admitted[3], in[1])
	require.Less(t, admitted[4], in[1])
	require.Less(t, admitted[5], in[1], "what is shared is a small part of the first prompt")
}

func TestNoPrefixWait(t *testing.T) {
	for name, change := range map[string]func(*engine.Options){
		"off":            func(o *engine.Options) { o.Config.PrefixWait = 0 },
		"over the bound": func(o *engine.Options) { o.Config.PrefixWait = 1; o.Clock = &ticks{wake: make(chan struct{}, 1)} },
		"nothing kept":   func(o *engine.Options) { o.CacheBytes = 0 },
		"does not fit":   func(o *engine.Options) { o.CacheBytes = 11_000 },
	} {
		t.Run(name, func(t *testing.T) {
			r := ask(2, 1000, 5)
			results, order := together(t, change, r, r)
			require.Zero(t, results[1].Cached)
			require.Less(t, places(order, core.EventAdmitted)[2], places(order, core.EventStep)[1])
		})
	}
}

// A first that is given up, fails, or is lost leaves nobody waiting.
func TestPrefixWaitWithoutFirst(t *testing.T) {
	d := fake.Open(fake.Options{OnChunk: func(int, int) { time.Sleep(time.Millisecond) }})
	l := start(t, d, func(o *engine.Options) { o.CacheBytes = 1 << 20; steps(&o.Config, 64) })
	r := ask(2, 1500, 5)
	want := alone(t, r)
	ctx, leave := context.WithCancel(context.Background())
	_, err := l.Submit(ctx, r)
	require.NoError(t, err)
	var replies []*engine.Reply
	for range 2 {
		reply, err := l.Submit(context.Background(), r)
		require.NoError(t, err)
		replies = append(replies, reply)
	}
	leave()
	for i, reply := range replies {
		got, err := reply.All(context.Background())
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, 1499*i, reply.Result().Cached)
	}
}
