package engine_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// Two requests with one beginning: the second starts from the first's state.
func TestKeptStates(t *testing.T) {
	l := start(t, fake.Open(fake.Options{Ends: true}), func(o *engine.Options) { o.CacheBytes = 1 << 20 })
	a := ask(2, 200, 10)
	_, x := whole(t, l, a)
	require.Zero(t, x.Cached)
	b := engine.Request{Prompt: append(append([]device.Token{}, a.Prompt[:150]...), prompt(7, 40)...), Output: 10}
	got, x := whole(t, l, b)
	require.Equal(t, 150, x.Cached)
	require.Equal(t, alone(t, b), got)
	got, x = whole(t, l, a)
	require.Equal(t, 199, x.Cached)
	require.Equal(t, alone(t, a), got)
	s := l.Stats()
	require.EqualValues(t, 349, s.CachedTokens)
	require.Equal(t, 2, s.CacheEntries)
}

// A kept state that does not restore is dropped, and the prompt runs from its
// start.
func TestDamagedState(t *testing.T) {
	var damaged atomic.Bool
	d := fake.Open(fake.Options{OnCall: func(name string) error {
		if name == "begin" && damaged.CompareAndSwap(true, false) {
			return device.ErrState
		}
		return nil
	}})
	l := start(t, d, func(o *engine.Options) { o.CacheBytes = 1 << 20 })
	r := ask(2, 200, 10)
	want, _ := whole(t, l, r)
	damaged.Store(true)
	got, x := whole(t, l, r)
	require.Equal(t, want, got)
	require.Zero(t, x.Cached)
	require.Equal(t, 1, l.Stats().CacheEntries, "the state that the second run kept")
	got, x = whole(t, l, r)
	require.Equal(t, want, got)
	require.Equal(t, 199, x.Cached)
}
