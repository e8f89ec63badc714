package server_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/tui/live"
)

// The dashboard's feed reads the events, also of what began before it.
func TestEvents(t *testing.T) {
	d := fake.Open(fake.Options{OnCall: func(string) error { time.Sleep(200 * time.Microsecond); return nil }})
	r := serve(t, d, nil)
	stream := r.client.Chat.Completions.NewStreaming(context.Background(), hello("x", 800))
	require.True(t, stream.Next())
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	feed, err := live.Open(ctx, r.url)
	require.NoError(t, err)
	seen := map[core.EventKind]int{}
	for seen[core.EventFinished] == 0 {
		news, ok := feed.Take(ctx)
		require.True(t, ok)
		require.Zero(t, news.Unread)
		for _, l := range news.Lines {
			seen[l.Kind]++
		}
		for seen[core.EventRound] > 10 && stream.Next() {
		}
	}
	require.NoError(t, stream.Err())
	require.Equal(t, 1, seen[core.EventSubmitted])
	require.Equal(t, 1, seen[core.EventAdmitted])
	require.Positive(t, seen[core.EventTokens])
	stop()
}
