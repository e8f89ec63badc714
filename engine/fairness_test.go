package engine_test

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// With steps on, a reply goes on while a long prompt runs.
func TestLongPromptBesideReply(t *testing.T) {
	for name, inSteps := range map[string]bool{"steps": true, "whole": false} {
		t.Run(name, func(t *testing.T) {
			var long atomic.Int32 // rows of the long prompt that are in
			var begun atomic.Bool
			d := fake.Open(fake.Options{
				OnChunk: func(_, rows int) {
					if begun.Load() {
						long.Add(int32(rows))
						time.Sleep(200 * time.Microsecond)
					}
				},
				OnCall: func(string) error { time.Sleep(100 * time.Microsecond); return nil },
			})
			l := start(t, d, func(o *engine.Options) {
				if inSteps {
					steps(&o.Config, 64)
				}
			})
			ctx := context.Background()
			short, err := l.Submit(ctx, ask(2, 8, 4000))
			require.NoError(t, err)
			_, err = short.Next(ctx)
			require.NoError(t, err)
			begun.Store(true)
			reply, err := l.Submit(ctx, ask(4, 3600, 2))
			require.NoError(t, err)
			during := 0 // tokens that came while the prompt was running
			for {
				tokens, err := short.Next(ctx)
				if errors.Is(err, io.EOF) || long.Load() == 3600 {
					break
				}
				require.NoError(t, err)
				if n := long.Load(); n > 64 && n < 3500 {
					during += len(tokens)
				}
			}
			_, err = reply.All(ctx)
			require.NoError(t, err)
			if inSteps {
				require.Greater(t, during, 20)
			} else {
				require.LessOrEqual(t, during, 20)
			}
		})
	}
}
