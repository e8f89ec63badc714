package server_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/engine"
)

// A long prompt (8,192 tokens with -demo) beside a reply of 64: in pieces the reply hardly
// waits, whole it waits for all of it.
func TestModelLongPrompt(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds: left out by -short")
	}
	rows := 2048
	if *demo {
		rows = 8192
	}
	ids := make([]int64, rows)
	for i := range ids {
		ids[i] = int64(1 + (i*i+7*i)%4000)
	}
	long := openai.CompletionNewParams{Model: "pair", MaxTokens: openai.Int(2),
		Prompt: openai.CompletionNewParamsPromptUnion{OfArrayOfTokens: ids}}
	short := piece(0)
	short.MaxTokens = openai.Int(64)
	short.SetExtraFields(map[string]any{"ignore_eos": true})
	type run struct{ gap, done, first time.Duration }
	play := func(t *testing.T, change func(*engine.Options), alone bool) (r run) {
		client, _, _ := pair(t, change)
		ctx := context.Background()
		var both sync.WaitGroup
		if !alone {
			s := client.Completions.NewStreaming(ctx, short)
			require.True(t, s.Next())
			started := time.Now()
			last := started
			both.Go(func() {
				for s.Next() {
					r.gap = max(r.gap, time.Since(last))
					last = time.Now()
				}
				require.NoError(t, s.Err())
				r.done = last.Sub(started)
			})
		}
		sent := time.Now()
		stream := client.Completions.NewStreaming(ctx, long)
		require.True(t, stream.Next(), stream.Err())
		r.first = time.Since(sent)
		for stream.Next() {
		}
		both.Wait()
		return r
	}
	arms := []struct {
		name   string
		change func(*engine.Options)
	}{
		{"alone", nil},
		{"in pieces", func(o *engine.Options) { o.Config.StepRows = 128 }},
		{"whole", func(o *engine.Options) { o.Config.Steps, o.Config.PromptShare = false, core.Whole }},
	}
	got := map[string]run{}
	for _, arm := range arms {
		t.Run(arm.name, func(t *testing.T) { got[arm.name] = play(t, arm.change, arm.name == "alone") })
	}
	t.Logf("%-22s %12s %12s %12s", fmt.Sprintf("prompt of %d tokens", rows), "largest gap", "reply done", "first token")
	for _, arm := range arms {
		r := got[arm.name]
		t.Logf("%-22s %12s %12s %12s", arm.name, r.gap.Round(time.Millisecond), r.done.Round(time.Millisecond), r.first.Round(time.Millisecond))
	}
	alone, pieces, whole := got["alone"], got["in pieces"], got["whole"]
	over := func(a, b time.Duration) float64 { return float64(a) / float64(b) }
	t.Logf("in pieces over whole: gap %.3f, done %.3f; its first token over alone: %.2f", over(pieces.gap, whole.gap),
		over(pieces.done, whole.done), over(pieces.first, alone.first))
}
