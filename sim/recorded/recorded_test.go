package recorded_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/costmodel/sampled"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/sim/recorded"
	"github.com/tfsim/tfsim/sim/result"
)

// virtual is a clock that the device's work moves, and nothing else.
type virtual struct {
	now  atomic.Int64
	wake chan struct{}
}

func (c *virtual) Now() core.Micros { return core.Micros(c.now.Load()) }
func (c *virtual) Wait(core.Micros) { <-c.wake }
func (c *virtual) Wake() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// cost is what the device's work takes.
func cost(w fake.Work) time.Duration {
	switch w.Call {
	case "begin":
		return 300 * time.Microsecond
	case "chunk":
		return time.Duration(200+20*w.Rows+w.From*w.Rows/200) * time.Microsecond
	case "pass":
		return time.Duration(300+100*len(w.Asks)) * time.Microsecond
	case "verify":
		rows := 0
		for _, x := range w.Windows {
			rows += x.Rows()
		}
		return time.Duration(900+60*len(w.Windows)+40*rows) * time.Microsecond
	}
	return 0
}

// quick is a device whose work takes no time but the clock's.
type quick struct {
	*fake.Device
	worked time.Duration
}

func (d *quick) Worked() (worked time.Duration) {
	worked, d.worked = d.worked, 0
	return worked
}

func prices(json.RawMessage) (core.Prices, error) {
	return (&costmodel.Table{}).Belief(costmodel.BeliefDefault)
}

// record serves some requests in virtual time. They come as the device works,
// so that every run of the test records the same.
func record(t *testing.T, change func(*engine.Options)) []byte {
	t.Helper()
	clock := &virtual{wake: make(chan struct{}, 1)}
	var file bytes.Buffer
	var l *engine.Live
	const requests, apart = 11, 40
	var replies []*engine.Reply // to those that the device's goroutine sends
	sent := make(chan *engine.Reply, requests)
	ask := func(seed, rows, output int) *engine.Reply {
		r := engine.Request{Prompt: make([]device.Token, rows), Output: output}
		for k := range r.Prompt {
			r.Prompt[k] = device.Token(1 + (seed*31+k*7+k*k)%96)
		}
		reply, err := l.Submit(context.Background(), r)
		require.NoError(t, err)
		sent <- reply
		return reply
	}
	d := &quick{}
	calls := 0
	d.Device = fake.Open(fake.Options{Ends: true, Cost: func(w fake.Work) time.Duration {
		clock.now.Add(cost(w).Microseconds())
		d.worked += cost(w)
		calls++
		switch i := calls / apart; {
		case calls%apart != 0 || i >= requests:
		case i < 8:
			replies = append(replies, ask(i, 20+77*i%400, 60+37*i%200))
		default:
			ask(2, 300, 20+i) // its beginning is kept, or runs
		}
		if calls == 6*apart+10 {
			replies[5].Cancel()
		}
		return 0
	}})
	c := core.DefaultConfig()
	c.Lanes, c.LaunchRows, c.Block, c.DraftDepth, c.PlainStreams = 4, 64, 8, 4, 0
	c.Steps, c.StepRows, c.PromptShare = true, 64, 500_000
	c.Prices, _ = prices(nil)
	o := engine.Options{Config: c, Clock: clock, Record: &file, CacheBytes: 1 << 20}
	change(&o)
	var err error
	l, err = engine.Start(d, o)
	require.NoError(t, err)
	ask(0, 100, 700)
	for range requests {
		_, _ = (<-sent).All(context.Background())
	}
	require.NoError(t, l.Drain(context.Background()))
	return file.Bytes()
}

// off is how far a figure is from another, as a part of it.
func off(got, want result.Num) float64 { return math.Abs(got.Value-want.Value) / want.Value }

// A recording simulated under its own settings and costs is what was measured.
func TestSimulatedAsMeasured(t *testing.T) {
	for name, change := range map[string]func(*engine.Options){
		"drafted":  func(*engine.Options) {},
		"measured": func(o *engine.Options) { o.Config.Rule = core.RuleMeasured },
		"plain":    func(o *engine.Options) { o.Config.Rule = core.RulePlain },
		"whole":    func(o *engine.Options) { o.Config.Steps, o.Config.PromptShare = false, core.Whole },
	} {
		t.Run(name, func(t *testing.T) {
			r, err := recorded.Read(record(t, change), prices)
			require.NoError(t, err)
			require.Len(t, r.Requests, 11)
			table, err := r.Table()
			require.NoError(t, err)
			run, err := r.Simulate(table, withPrices(t, r.Config))
			require.NoError(t, err)
			require.Len(t, run.Requests, 11)
			var errs []float64
			for i, got := range run.Requests {
				want := r.Measured.Requests[i]
				require.Equal(t, want.ID, got.ID)
				if want.Status != result.Done {
					continue
				}
				require.Equal(t, want.OutputTokens, got.OutputTokens)
				require.Equal(t, want.CachedTokens, got.CachedTokens)
				errs = append(errs, off(got.TTFT, want.TTFT), off(got.Done, want.Done))
			}
			slices.Sort(errs)
			require.Less(t, errs[len(errs)/2], 0.1, errs)
		})
	}
}

func withPrices(t *testing.T, c core.Config) core.Config {
	var err error
	c.Prices, err = prices(nil)
	require.NoError(t, err)
	return c
}

// Another setting gives other times with the same tokens.
func TestWhatIf(t *testing.T) {
	r, err := recorded.Read(record(t, func(*engine.Options) {}), prices)
	require.NoError(t, err)
	table, err := r.Table()
	require.NoError(t, err)
	c := withPrices(t, r.Config)
	before, err := r.Simulate(table, c)
	require.NoError(t, err)
	c.Drafts = false
	after, err := r.Simulate(table, c)
	require.NoError(t, err)
	require.Zero(t, after.Totals.Drafted)
	require.Greater(t, after.Totals.Rounds, before.Totals.Rounds)
	require.Greater(t, after.Totals.Wall.Value, before.Totals.Wall.Value)
}

// Where a device splits launches of unlike windows, each window of a pass counts
// as the longest, and a launch of several passes tells nothing of one.
func TestLaunchesOfStreams(t *testing.T) {
	data := record(t, func(*engine.Options) {})
	other := bytes.Replace(data, []byte(`"Equal":false,"Longest":false`), []byte(`"Equal":true,"Longest":true`), 1)
	require.NotEqual(t, data, other)
	total, err := recorded.Read(data, prices)
	require.NoError(t, err)
	longest, err := recorded.Read(other, prices)
	require.NoError(t, err)
	uneven := func(of []sampled.Launch) (n int) {
		for _, l := range of {
			if l.Context%l.Windows != 0 || l.Rows%l.Windows != 0 {
				n++
			}
		}
		return n
	}
	require.Positive(t, uneven(total.Timed.Launches))
	require.Zero(t, uneven(longest.Timed.Launches))
	require.NotEmpty(t, longest.Timed.Launches)
	require.Less(t, len(longest.Timed.Launches), len(total.Timed.Launches))
	table, err := longest.Table()
	require.NoError(t, err)
	require.Equal(t, costmodel.StreamCaches, table.Caches)
}

// Rounds after a prompt step are told from others.
func TestRoundsAfterSteps(t *testing.T) {
	r, err := recorded.Read(record(t, func(*engine.Options) {}), prices)
	require.NoError(t, err)
	var places [sampled.Colds + 1]int
	for _, l := range r.Timed.Launches {
		places[l.Cold]++
	}
	for place, n := range places {
		require.Positive(t, n, place)
	}
	require.Greater(t, places[0], places[1])
	require.GreaterOrEqual(t, places[1], places[2])
}

func TestReadRefuses(t *testing.T) {
	data := record(t, func(o *engine.Options) { o.Config.Drafts = false })
	r, err := recorded.Read(data, prices)
	require.NoError(t, err)
	table, err := r.Table()
	require.NoError(t, err)
	c := withPrices(t, r.Config)
	c.Drafts = true
	_, err = r.Simulate(table, c)
	require.ErrorIs(t, err, recorded.ErrNoDrafts)
	_, err = recorded.Read([]byte("{}"), prices)
	require.ErrorContains(t, err, "no record")
	first, _, _ := bytes.Cut(data, []byte("\n"))
	_, err = recorded.Read(append(first[:len(first):len(first)], "\n{\"end\":true}"...), prices)
	require.EqualError(t, err, "the record has no requests")
	_, err = recorded.Read([]byte(strings.Replace(string(data), `"StepRows":64`, `"StepRows":32`, 1)), prices)
	require.ErrorIs(t, err, recorded.ErrDiffers)
}

// A record that is cut short before there is anything to play says where.
func TestReadCutShort(t *testing.T) {
	data := record(t, func(*engine.Options) {})
	ends := make([]int, 0, 4) // of the first lines
	for i := 0; len(ends) < cap(ends); i++ {
		if data[i] == '\n' {
			ends = append(ends, i+1)
		}
	}
	for _, end := range []int{ends[0] - 1, ends[0], ends[0] + 5, ends[1] - 2} {
		_, err := recorded.Read(data[:end], prices)
		require.EqualError(t, err, "the record is cut short after line 1, at 0.000 s, before its first request")
	}
	for end, line := range map[int]int{ends[1]: 2, ends[1] + 5: 2, ends[2]: 3, ends[3] - 2: 3} {
		r, err := recorded.Read(data[:end], prices)
		require.NoError(t, err)
		_, err = r.Table()
		require.ErrorIs(t, err, sampled.ErrFew)
		require.ErrorContains(t, err, fmt.Sprintf("the record is cut short after line %d, at 0.000 s: ", line))
	}
}

// Any number of a record may be any other: it is refused or read, never a fault.
func TestReadAltered(t *testing.T) {
	data := string(record(t, func(*engine.Options) {}))
	tried := 0
	for _, key := range []string{
		"Depth", "CatchUp", "Drafts", "Pad", "Held", "Position", "Slot", "ID", "From", "Rows", "Kept", "Emitted", "Wall", "Device",
		"Status", "Kind", "Prompt", "Output", "Lanes", "Block", "at", "cancel",
		"Least", "Multiple", "LaunchRows", "MostBehind", "Launches", "Windows", "Asks", "Confidences",
	} {
		for _, number := range []string{"-1", "9223372036854775807", "-9223372036854775808", "1.5", `"x"`, "[]", "[9]", "[-1,2]"} {
			for _, from := range []int{0, len(data) / 3, len(data) * 9 / 10} {
				at := strings.Index(data[from:], `"`+key+`":`)
				if at < 0 {
					continue
				}
				at += from + len(key) + 3
				end := at + strings.IndexAny(data[at:], ",}")
				if data[at] == '[' {
					end = at + strings.IndexByte(data[at:], ']') + 1
				}
				altered := data[:at] + number + data[end:]
				r, err := recorded.Read([]byte(altered), prices)
				tried++
				if err != nil {
					continue
				}
				_, _ = r.Table()
			}
		}
	}
	require.Greater(t, tried, 200)
}
