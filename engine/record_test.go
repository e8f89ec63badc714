package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

func prices(json.RawMessage) (core.Prices, error) { return line{}, nil }

// A recorded crowd, with cancels and losses, replays decision for decision.
func TestReplay(t *testing.T) {
	for name, change := range map[string]func(*core.Config){
		"earlier rule":  func(c *core.Config) { c.Steps, c.StepRows, c.PromptShare = true, 32, 300_000 },
		"measured rule": func(c *core.Config) { c.Rule = core.RuleMeasured },
	} {
		t.Run(name, func(t *testing.T) {
			var file bytes.Buffer
			// The device waits until all have come: some must be there at once.
			come, lose := make(chan struct{}), losing(301, 4)
			d := fake.Open(fake.Options{OnCall: func(name string) error {
				<-come
				return lose(name)
			}})
			l := start(t, d, func(o *engine.Options) {
				change(&o.Config)
				o.Record, o.Note, o.CacheBytes = &file, map[string]string{"belief": "line"}, 1<<16
			})
			var all sync.WaitGroup
			for i := range 60 {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				reply, err := l.Submit(ctx, ask(i, 10+17*i%200, 10+i))
				require.NoError(t, err)
				all.Go(func() {
					if <-come; i%6 == 5 {
						time.AfterFunc(time.Duration(i)*30*time.Microsecond, cancel)
					}
					_, _ = reply.All(context.Background())
				})
			}
			close(come)
			all.Wait()
			require.NoError(t, l.Drain(context.Background()))
			record := file.String()
			x, err := engine.Replay(strings.NewReader(record), prices, nil)
			require.NoError(t, err)
			require.Empty(t, x.Difference)
			require.Equal(t, strings.Count(record, `"action":`), x.Same)
			require.Greater(t, x.Same, 100)
			require.JSONEq(t, `{"belief": "line"}`, string(x.Note))
			require.True(t, x.Reach.Whole)
			lines := strings.Count(record, "\n")
			require.Equal(t, lines, x.Reach.Lines)

			// Cut short it replays up to there; with another decision it says so.
			x, err = engine.Replay(strings.NewReader(record[:len(record)/2]), prices, nil)
			require.NoError(t, err)
			require.Empty(t, x.Difference)
			require.False(t, x.Reach.Whole)
			require.Equal(t, strings.Count(record[:len(record)/2], "\n"), x.Reach.Lines)
			require.Positive(t, x.Reach.At)
			mark := strings.LastIndexByte(strings.TrimSpace(record), '\n') + 1
			for _, end := range []string{"", record[mark : len(record)-3]} {
				x, err = engine.Replay(strings.NewReader(record[:mark]+end), prices, nil)
				require.NoError(t, err)
				require.False(t, x.Reach.Whole, "its end is missing")
				require.Equal(t, lines-1, x.Reach.Lines)
			}
			other := strings.Replace(record, `"Lanes":4`, `"Lanes":1`, 1)
			x, err = engine.Replay(strings.NewReader(other), prices, nil)
			require.NoError(t, err)
			require.Regexp(t, `^action [0-9]+ at [0-9]+ µs[:,] .*recorded .* now `, x.Difference)
			require.Less(t, len(x.Difference), 200)
			require.Less(t, x.Same, x.Actions)
		})
	}
}
