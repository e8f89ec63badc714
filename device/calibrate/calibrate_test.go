package calibrate_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/calibrate"
	"github.com/tfsim/tfsim/device/fake"
)

func launchMs(windows, rows, context int) float64 {
	return 0.5 + 0.1*float64(windows) + 0.2*float64(rows) + 0.05*float64(context)/1000
}

func chunkMs(rows, from int) float64 { return 0.3 + 0.02*float64(rows) + 0.00001*float64(rows*from) }

// reading is a device that reads the last of a pass's drafts at the next one,
// if they were all kept, and takes time for it.
type reading struct {
	*fake.Device
	held   [4]int
	unread [4]bool
	late   func(asks int)
}

func (d *reading) Pass(asks []device.Ask, drafts []device.Draft) ([]device.Draft, error) {
	n := 0
	for _, a := range asks {
		if d.unread[a.Slot] {
			n++
		}
		d.held[a.Slot], d.unread[a.Slot] = a.Depth, false
	}
	d.late(n)
	return d.Device.Pass(asks, drafts)
}

func (d *reading) Verify(windows []device.Window, verdicts []device.Verdict) ([]device.Verdict, error) {
	verdicts, err := d.Device.Verify(windows, verdicts)
	for i := range verdicts {
		s := windows[i].Slot
		d.unread[s] = d.unread[s] || d.held[s] > 0 && verdicts[i].Kept == d.held[s]
		d.held[s] = 0
	}
	return verdicts, err
}

func (d *reading) Begin(slot int, o device.BeginOptions) (int, error) {
	d.held[slot], d.unread[slot] = 0, false
	return d.Device.Begin(slot, o)
}

// A device whose work costs by a formula, in virtual time, gives a table that
// prices by it.
func TestDevice(t *testing.T) {
	var now time.Duration
	cold, idle := 0, false
	after := []float64{0.8, 0.4, 0.2, 0.1}
	d := &reading{late: func(asks int) { now += time.Duration(asks) * 300 * time.Microsecond }}
	d.Device = fake.Open(fake.Options{ChunkRows: 64, Cost: func(w fake.Work) time.Duration {
		ms := 0.0
		switch w.Call {
		case "begin":
			ms = 0.25
			if w.Rows > 0 {
				ms = 2
			}
		case "chunk":
			ms = chunkMs(w.Rows, w.From)
			if w.Last {
				ms += 0.4
			}
			if idle {
				ms += 2.5
			}
			idle = false
			cold = 0
		case "pass":
			ms = (1 + 0.3*float64(len(w.Asks)-1)) * (0.2 + 0.2*float64(w.Asks[0].Depth))
		case "verify":
			rows, at := 0, 0
			for _, x := range w.Windows {
				rows += x.Rows()
				at += x.Position
			}
			ms = launchMs(len(w.Windows), rows, at)
			if cold < len(after) {
				ms += after[cold]
				cold++
			}
		}
		now += time.Duration(ms * 1e6)
		return 0
	}})
	shown := 0.0
	table, err := calibrate.Device(context.Background(), d, calibrate.Options{
		Budget: 20 * time.Second, Depth: 4, Now: func() time.Time { return time.Unix(0, 0).Add(now) },
		Sleep: func(d time.Duration) { now, idle = now+d, true },
		Progress: func(part float64) {
			require.GreaterOrEqual(t, part, shown)
			shown = part
		},
	})
	require.NoError(t, err)
	require.InDelta(t, 1, shown, 0.3)
	require.LessOrEqual(t, now, 21*time.Second)
	var b bytes.Buffer
	require.NoError(t, table.WriteJSON(&b))
	_, err = costmodel.Parse("table.yaml", b.Bytes())
	require.NoError(t, err)
	near := func(want float64, got int64) {
		t.Helper()
		require.InEpsilon(t, want*1e6, float64(got), 0.04)
	}
	for windows := 1; windows <= 4; windows++ {
		for rows := 1; rows <= 5; rows++ {
			got, _ := table.Launch(costmodel.Load{Windows: windows, Rows: windows * rows, Context: 2000})
			near(launchMs(windows, windows*rows, 2000), int64(got))
		}
	}
	for _, rows := range []int{16, 64} {
		got, _ := table.Chunk(rows, 1000, true)
		near(chunkMs(rows, 1000), int64(got))
	}
	near(0.25, int64(table.Prompt.Begin()))
	near(0.4, int64(table.Prompt.Finish(100)))
	got, _ := table.Pass(costmodel.Asked{Asked: core.Asked{Asks: 3, Depth: 5}})
	near(1.6, int64(got))
	got, _ = table.Pass(costmodel.Asked{Asked: core.Asked{Asks: 3, Depth: 1}})
	near(0.64, int64(got))
	near(2, int64(table.Restore(1024)))
	for i, ms := range after {
		near(ms, int64(table.Prompt.After(i+1)))
	}
	near(2.5, int64(table.Prompt.Idle(core.Nanos(1e9))))
	require.InEpsilon(t, 0.3, table.Drafter.UnreadMs, 0.04)
	// Its slots are free again.
	for s := range d.Info().Slots {
		_, err := d.Begin(s, device.BeginOptions{})
		require.NoError(t, err)
	}
}

// A device of one slot that drafts nothing is measured as well; a lost one, a
// budget that is too short and a cancel end it.
func TestDeviceEnds(t *testing.T) {
	small := fake.Options{Slots: 1, Context: 200, DraftDepth: -1}
	table, err := calibrate.Device(context.Background(), fake.Open(small), calibrate.Options{Budget: 50 * time.Millisecond})
	require.NoError(t, err)
	require.Nil(t, table.Drafter)

	var now time.Duration
	clock := func() time.Time { now += time.Second; return time.Unix(0, 0).Add(now) }
	_, err = calibrate.Device(context.Background(), fake.Open(small), calibrate.Options{Budget: time.Second, Now: clock})
	require.ErrorIs(t, err, calibrate.ErrBudget)

	ctx, stop := context.WithCancelCause(context.Background())
	stop(errors.New("enough of it"))
	_, err = calibrate.Device(ctx, fake.Open(small), calibrate.Options{})
	require.Error(t, err)

	gone := false
	small.OnCall = func(name string) error {
		if gone = gone || name == "verify"; gone {
			return device.ErrLost
		}
		return nil
	}
	_, err = calibrate.Device(context.Background(), fake.Open(small), calibrate.Options{})
	require.EqualError(t, err, device.ErrLost.Error(), "told once")
}
