package engine_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// A configuration that changes while replies decode and prompts fill: tokens
// stay the same, what follows is decided anew, and the record replays.
func TestReconfigure(t *testing.T) {
	var file bytes.Buffer
	l := start(t, fake.Open(fake.Options{Ends: true, OnCall: func(string) error { time.Sleep(50 * time.Microsecond); return nil }}), func(o *engine.Options) {
		o.Record = &file
		steps(&o.Config, 64)
	})
	ctx := context.Background()
	var requests []engine.Request
	var replies []*engine.Reply
	for i := range 6 {
		r := ask(i, 300+i, 300)
		r.IgnoreEnds = true
		reply, err := l.Submit(ctx, r)
		require.NoError(t, err)
		requests, replies = append(requests, r), append(replies, reply)
	}
	for i := range 8 {
		_, err := replies[0].Next(ctx)
		require.NoError(t, err)
		c := l.Config()
		c.StepRows, c.Steps, c.DraftDepth = 16<<(i%3), i%4 != 3, i%6
		if i%2 == 0 {
			c.Rule = core.RuleMeasured
		}
		require.NoError(t, l.Reconfigure(ctx, c))
		require.Equal(t, c.StepRows, l.Config().StepRows)
	}
	for i, reply := range replies[1:] {
		got, err := reply.All(ctx)
		require.NoError(t, err)
		require.Equal(t, alone(t, requests[i+1]), got)
	}
	require.NoError(t, l.Drain(ctx))
	require.Equal(t, 8, strings.Count(file.String(), `"change":`))
	x, err := engine.Replay(strings.NewReader(file.String()), prices, nil)
	require.NoError(t, err)
	require.Empty(t, x.Difference)
	require.Equal(t, strings.Count(file.String(), `"action":`), x.Same)
	require.ErrorIs(t, l.Reconfigure(ctx, l.Config()), engine.ErrDraining)
}

// What cannot change while it runs is refused by name, and an idle engine
// takes a change at once.
func TestReconfigureRefuses(t *testing.T) {
	l := start(t, fake.Open(fake.Options{}), func(o *engine.Options) { o.Config.Drafts = false; o.Config.Queue = 5 })
	change := func(f func(*core.Config)) error {
		c := l.Config()
		c.Queue = 5
		f(&c)
		return l.Reconfigure(context.Background(), c)
	}
	for want, f := range map[string]func(*core.Config){
		"lanes":                     func(c *core.Config) { c.Lanes = 1 },
		"context":                   func(c *core.Config) { c.Context-- },
		"queue":                     func(c *core.Config) { c.Queue = 0 },
		"drafts":                    func(c *core.Config) { c.Drafts = true },
		"launch rows 65":            func(c *core.Config) { c.LaunchRows = 65 },
		"step rows 0":               func(c *core.Config) { c.StepRows = 0 },
		"the oracle rule needs a w": func(c *core.Config) { c.Rule = core.RuleOracle },
	} {
		require.ErrorContains(t, change(f), want)
	}
	require.NoError(t, change(func(c *core.Config) { c.StepRows = 7 }))
	require.Equal(t, 7, l.Config().StepRows)
	whole(t, l, ask(2, 50, 20))
}

// A note reaches those who watch.
func TestNote(t *testing.T) {
	l := start(t, fake.Open(fake.Options{}), nil)
	w := l.Watch(4)
	defer w.Stop()
	l.Note("thermal nominal → fair")
	events, _, err := w.Next(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, core.EventNote, events[0].Kind)
	require.Equal(t, "thermal nominal → fair", events[0].Reason)
}
