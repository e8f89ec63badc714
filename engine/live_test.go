package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
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

func (line) Round(s core.Shape) core.Nanos    { return 1_000_000 * core.Nanos(3+s.Rows) }
func (line) Pass(asks, _ int) core.Nanos      { return 100_000 * core.Nanos(asks) }
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

// Drafted equals undrafted and concurrent equals alone, in pieces and whole,
// on both clocks.
func TestSameTokens(t *testing.T) {
	const n = 24
	want := make([][]device.Token, n)
	request := func(i int) engine.Request { return ask(i, 5+37*i%211, 20+13*i%90) }
	for i := range want {
		want[i] = alone(t, request(i))
	}
	for name, change := range map[string]func(*engine.Options){
		"whole prompts":  nil,
		"in steps":       func(o *engine.Options) { steps(&o.Config, 16) },
		"measured rule":  func(o *engine.Options) { o.Config.Rule = core.RuleMeasured; steps(&o.Config, 50) },
		"small launches": func(o *engine.Options) { o.Config.LaunchRows = 7 },
		"a fake clock":   func(o *engine.Options) { o.Clock = &ticks{wake: make(chan struct{}, 1)} },
		"kept states":    func(o *engine.Options) { o.CacheBytes = 1 << 20 },
	} {
		t.Run(name, func(t *testing.T) {
			l := start(t, fake.Open(fake.Options{Ends: true}), change)
			var all sync.WaitGroup
			for i := range want {
				all.Go(func() {
					r := request(i)
					reply, err := l.Submit(context.Background(), r)
					require.NoError(t, err)
					got, err := reply.All(context.Background())
					require.NoError(t, err)
					x := reply.Result()
					require.Equal(t, want[i], got)
					require.Equal(t, engine.Hash(got), x.SHA)
					require.True(t, x.Exact)
					require.Equal(t, len(got), x.Tokens)
					if got[len(got)-1] == 0 {
						require.Equal(t, "end", x.Reason)
					} else {
						require.Equal(t, "length", x.Reason)
						require.Len(t, got, r.Output)
					}
				})
			}
			all.Wait()
			s := l.Stats()
			require.EqualValues(t, n, s.Finished)
			require.Zero(t, s.InFlight+s.Waiting+s.Filling+s.Decoding)
			require.Positive(t, s.Accepted)
		})
	}
}

func TestIgnoreEnds(t *testing.T) {
	l := start(t, fake.Open(fake.Options{Ends: true}), nil)
	r := ask(1, 9, 2000)
	ended, x := whole(t, l, r)
	require.Equal(t, "end", x.Reason)
	require.Less(t, len(ended), 2000)
	r.IgnoreEnds = true
	on, x := whole(t, l, r)
	require.Equal(t, "length", x.Reason)
	require.Len(t, on, 2000)
	require.Equal(t, ended, on[:len(ended)])

	seen := 0
	r.Ends = func(device.Token) bool { seen++; return seen == 17 }
	stopped, x := whole(t, l, r)
	require.Equal(t, "end", x.Reason)
	require.Equal(t, on[:17], stopped)
}

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

// A cancel stops a prompt between two chunks, and the lane is free.
func TestCancelInPrompt(t *testing.T) {
	chunk := make(chan struct{})
	var rows atomic.Int32
	d := fake.Open(fake.Options{Slots: 1, OnChunk: func(_, n int) {
		if rows.Add(int32(n)) == 5*32 {
			close(chunk)
			time.Sleep(20 * time.Millisecond)
		}
	}})
	l := start(t, d, nil)
	ctx, cancel := context.WithCancel(context.Background())
	reply, err := l.Submit(ctx, ask(2, 3000, 5))
	require.NoError(t, err)
	<-chunk
	cancel()
	_, err = reply.All(context.Background())
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, "cancelled", reply.Result().Reason)
	require.Less(t, rows.Load(), int32(500))
	got, _ := whole(t, l, ask(4, 10, 20))
	require.Equal(t, alone(t, ask(4, 10, 20)), got)
}

func TestDeadline(t *testing.T) {
	d := fake.Open(fake.Options{OnCall: func(string) error { time.Sleep(time.Millisecond); return nil }})
	l := start(t, d, nil)
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer stop()
	reply, err := l.Submit(ctx, ask(2, 10, 3000))
	require.NoError(t, err)
	got, err := reply.All(context.Background())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotEmpty(t, got)
	require.Equal(t, len(got), reply.Result().Tokens)
}

// losing makes every n-th call lose the device, most times at most.
func losing(n, most int32) func(string) error {
	var calls, lost atomic.Int32
	return func(string) error {
		if calls.Add(1)%n == 0 && lost.Add(1) <= most {
			return device.ErrLost
		}
		return nil
	}
}

// A device that is lost comes back, and nobody notices.
func TestLoss(t *testing.T) {
	for name, change := range map[string]func(*engine.Options){
		"whole": nil,
		"steps": func(o *engine.Options) { steps(&o.Config, 20) },
	} {
		t.Run(name, func(t *testing.T) {
			l := start(t, fake.Open(fake.Options{Ends: true, OnCall: losing(97, 6)}), change)
			var all sync.WaitGroup
			for i := range 12 {
				r := ask(i, 30+i, 60)
				want := alone(t, r)
				all.Go(func() {
					reply, err := l.Submit(context.Background(), r)
					require.NoError(t, err)
					got, err := reply.All(context.Background())
					require.NoError(t, err)
					require.Equal(t, want, got)
				})
			}
			all.Wait()
			s := l.Stats()
			require.Positive(t, s.Losses)
			require.Positive(t, s.Restarts)
		})
	}
}

// A device that fails again and again fails its requests; once it works, the
// engine does.
func TestHopeless(t *testing.T) {
	var bad atomic.Bool
	bad.Store(true)
	d := fake.Open(fake.Options{OnCall: func(string) error {
		if bad.Load() {
			return fmt.Errorf("%w: on fire", device.ErrLost)
		}
		return nil
	}})
	l := start(t, d, nil)
	for range 3 {
		reply, err := l.Submit(context.Background(), ask(2, 10, 5))
		require.NoError(t, err)
		_, err = reply.All(context.Background())
		require.ErrorIs(t, err, engine.ErrDevice)
		require.ErrorContains(t, err, "on fire")
	}
	bad.Store(false)
	whole(t, l, ask(2, 10, 5))
}

// A device that is lost while nobody asks anything is brought back by a check.
func TestCheck(t *testing.T) {
	d := fake.Open(fake.Options{})
	l := start(t, d, nil)
	require.NoError(t, l.Check(context.Background()))
	require.Zero(t, l.Stats().Restarts)
	d.Lose()
	require.NoError(t, l.Check(context.Background()))
	whole(t, l, ask(2, 10, 5))
	require.EqualValues(t, 1, l.Stats().Restarts)
	require.Zero(t, l.Stats().Losses)
}

// What fails in a round fails its lanes alone.
func TestFailedRound(t *testing.T) {
	var fails atomic.Bool
	d := fake.Open(fake.Options{OnCall: func(name string) error {
		if name == "verify" && fails.CompareAndSwap(true, false) {
			return fmt.Errorf("%w: bad luck", device.ErrFailed)
		}
		return nil
	}})
	l := start(t, d, nil)
	fails.Store(true)
	reply, err := l.Submit(context.Background(), ask(2, 10, 50))
	require.NoError(t, err)
	_, err = reply.All(context.Background())
	require.ErrorContains(t, err, "bad luck")
	require.Equal(t, "failed", reply.Result().Reason)
	got, _ := whole(t, l, ask(2, 10, 50))
	require.Equal(t, alone(t, ask(2, 10, 50)), got)
}

func TestDrain(t *testing.T) {
	d := fake.Open(fake.Options{OnCall: func(string) error { time.Sleep(100 * time.Microsecond); return nil }})
	l := start(t, d, nil)
	reply, err := l.Submit(context.Background(), ask(2, 10, 200))
	require.NoError(t, err)
	drained := make(chan error)
	go func() { drained <- l.Drain(context.Background()) }()
	require.Eventually(t, func() bool {
		_, err := l.Submit(context.Background(), ask(3, 10, 5))
		return errors.Is(err, engine.ErrDraining)
	}, time.Second, time.Millisecond)
	got, err := reply.All(context.Background())
	require.NoError(t, err)
	require.Len(t, got, 200)
	require.NoError(t, <-drained)
}

func TestDrainRunsOut(t *testing.T) {
	d := fake.Open(fake.Options{OnCall: func(string) error { time.Sleep(time.Millisecond); return nil }})
	l := start(t, d, nil)
	reply, err := l.Submit(context.Background(), ask(2, 10, 4000))
	require.NoError(t, err)
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer stop()
	require.ErrorIs(t, l.Drain(ctx), context.DeadlineExceeded)
	_, err = reply.All(context.Background())
	require.ErrorIs(t, err, engine.ErrDraining)
}

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

// A random crowd: some cancel, some never read, the device is lost now and
// then; every reply that ends is right, and nothing is left.
func TestCrowd(t *testing.T) {
	var calls atomic.Int32
	d := fake.Open(fake.Options{OnCall: func(string) error {
		if calls.Add(1)%400 == 0 {
			return device.ErrLost
		}
		return nil
	}})
	l := start(t, d, func(o *engine.Options) { steps(&o.Config, 32); o.CacheBytes = 20_000 })
	var all sync.WaitGroup
	for i := range 200 {
		r := ask(i%17, 10+7*(i%13), 5+i%40)
		r.NoDraft, r.Background = i%5 == 0, i%7 == 0
		all.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			reply, err := l.Submit(ctx, r)
			require.NoError(t, err)
			switch i % 4 {
			case 0:
				time.Sleep(time.Duration(i) * 20 * time.Microsecond)
				cancel()
			case 1: // nobody reads
				return
			default:
				tokens, err := reply.All(context.Background())
				if err == nil {
					require.Equal(t, reply.Result().SHA, engine.Hash(tokens))
				}
			}
		})
	}
	all.Wait()
	require.Eventually(t, func() bool { return l.Stats().InFlight == 0 }, 5*time.Second, time.Millisecond)
}

// What the engine costs a round over the device's own time.
func BenchmarkRound(b *testing.B) {
	d := fake.Open(fake.Options{Context: 1 << 20})
	l, err := engine.Start(d, engine.Options{Config: config(d)})
	require.NoError(b, err)
	defer l.Close()
	var replies []*engine.Reply
	ctx := context.Background()
	for i := range 4 {
		r := ask(2*i, 10, 1<<19)
		r.NoDraft = true
		reply, err := l.Submit(ctx, r)
		require.NoError(b, err)
		replies = append(replies, reply)
	}
	before := l.Stats().Rounds
	b.ResetTimer()
	for l.Stats().Rounds-before < uint64(b.N) {
		time.Sleep(time.Millisecond)
	}
	n := l.Stats().Rounds - before
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "µs/round")
	for _, r := range replies {
		r.Cancel()
	}
}
