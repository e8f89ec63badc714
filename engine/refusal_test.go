package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

func TestRefusals(t *testing.T) {
	gate := make(chan struct{})
	d := fake.Open(fake.Options{Slots: 1, Context: 100, OnCall: func(string) error { <-gate; return nil }})
	l := start(t, d, func(o *engine.Options) { o.Config.Queue = 2 })
	ctx := context.Background()
	for name, k := range map[string]struct {
		request engine.Request
		want    error
	}{
		"no prompt":       {engine.Request{}, core.ErrRequest},
		"long":            {ask(2, 60, 41), core.ErrContext},
		"no room":         {ask(2, 100, 0), core.ErrContext},
		"negative output": {ask(2, 1, -1), core.ErrRequest},
		"bad token":       {engine.Request{Prompt: []device.Token{fake.Vocabulary}}, device.ErrToken},
		"bad sampling":    {engine.Request{Prompt: []device.Token{1}, Sampling: device.Sampling{TopP: 2}}, device.ErrSampling},
	} {
		_, err := l.Submit(ctx, k.request)
		require.ErrorIs(t, err, k.want, name)
	}
	var replies []*engine.Reply
	for i := range 3 {
		reply, err := l.Submit(ctx, ask(i, 10, 5))
		require.NoError(t, err)
		replies = append(replies, reply)
	}
	_, err := l.Submit(ctx, ask(9, 10, 5))
	require.ErrorIs(t, err, engine.ErrFull)
	replies[2].Cancel() // it waits: the place is free once the loop has seen it
	close(gate)
	for i, reply := range replies {
		_, err := reply.All(ctx)
		if i == 2 {
			require.ErrorIs(t, err, context.Canceled)
		} else {
			require.NoError(t, err)
		}
	}
	require.EqualValues(t, 1, l.Stats().Refused)
	// Output 0 is what the context has room for.
	got, x := whole(t, l, ask(2, 60, 0))
	require.Len(t, got, 40)
	require.Equal(t, "length", x.Reason)
}
