package engine_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// line prices a round at a millisecond a row.
type line struct{}

func (line) Round(s core.Shape) core.Nanos { return 1_000_000 * core.Nanos(3+s.Rows) }

func (line) Pass(a core.Asked) core.Nanos { return 100_000 * core.Nanos(a.Asks) }

func (line) Cheapest(s core.Shape) core.Shape { return s }

// ticks is a clock that moves by a microsecond whenever it is looked at.
type ticks struct {
	now  atomic.Int64
	wake chan struct{}
}

func (c *ticks) Now() core.Micros { return core.Micros(c.now.Add(1)) }

func (c *ticks) Wait(core.Micros) { <-c.wake }

func (c *ticks) Wake() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func config(d *fake.Device) core.Config {
	c := core.DefaultConfig()
	c.Lanes = d.Info().Slots
	c.LaunchRows = d.Info().Shapes.LaunchRows
	c.Block = d.Info().DraftDepth
	c.DraftDepth = min(c.DraftDepth, c.Block)
	c.PlainStreams = 0
	c.Prices = line{}
	return c
}

func steps(c *core.Config, rows int) {
	c.Steps, c.StepRows, c.PromptShare = true, rows, 250_000
}

func start(t testing.TB, d *fake.Device, change func(*engine.Options)) *engine.Live {
	t.Helper()
	before := runtime.NumGoroutine()
	o := engine.Options{Config: config(d), RestartPause: time.Millisecond}
	if change != nil {
		change(&o)
	}
	l, err := engine.Start(d, o)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, l.Close())
		for range 200 {
			if runtime.NumGoroutine() <= before {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
	})
	return l
}

func prompt(seed, n int) []device.Token {
	p := make([]device.Token, n)
	for i := range p {
		p[i] = device.Token(1 + (seed*31+i*7+i*i)%(fake.Vocabulary-1))
	}
	return p
}

func ask(seed, rows, output int) engine.Request {
	r := engine.Request{Prompt: prompt(seed, rows), Output: output}
	if seed%2 == 1 {
		r.Sampling = device.Sampling{Temperature: 0.8, TopP: 0.9, Seed: uint64(seed)}
	}
	return r
}

func whole(t testing.TB, l *engine.Live, r engine.Request) ([]device.Token, engine.Result) {
	t.Helper()
	reply, err := l.Submit(context.Background(), r)
	require.NoError(t, err)
	tokens, err := reply.All(context.Background())
	require.NoError(t, err)
	return tokens, reply.Result()
}

// alone is what a request gives undrafted on a device of its own.
func alone(t testing.TB, r engine.Request) []device.Token {
	t.Helper()
	l := start(t, fake.Open(fake.Options{Ends: true}), nil)
	r.NoDraft = true
	tokens, _ := whole(t, l, r)
	return tokens
}
