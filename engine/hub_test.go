package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device/fake"
)

// A watcher that does not look misses events, is told how many, and holds
// nobody up.
func TestWatch(t *testing.T) {
	l := start(t, fake.Open(fake.Options{}), nil)
	slow, all := l.Watch(4), l.Watch(1<<12)
	defer slow.Stop()
	defer all.Stop()
	whole(t, l, ask(2, 10, 50))
	events, gap, err := all.Next(context.Background(), nil)
	require.NoError(t, err)
	require.Zero(t, gap)
	require.Equal(t, core.EventSubmitted, events[0].Kind)
	for events[len(events)-1].Kind != core.EventFinished {
		events, _, err = all.Next(context.Background(), events)
		require.NoError(t, err)
	}
	few, gap, err := slow.Next(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, events[:4], few)
	require.Equal(t, len(events)-4, gap)
	require.EqualValues(t, gap, l.Stats().MissedEvents)
}
