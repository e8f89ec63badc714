package sim

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device"
)

// calibrated is a machine whose caches and drafter are told as those of a live
// device are.
func calibrated() *costmodel.Table {
	t := exact()
	t.Prompt.AfterMs = costmodel.Curve{{At: 1, Ms: 3}, {At: 2, Ms: 1}}
	t.Prompt.IdleMs, t.Drafter.UnreadMs, t.ContextMsPer1K = 5, 0.25, 0
	return t
}

// The first round after a step costs more, and so do a step after idle time and
// a pass that follows drafts which were all kept.
func TestCachesCost(t *testing.T) {
	a := request(1)
	d := NewDevice(calibrated(), DefaultWorld(), 4, 4, func(core.ID) *Request { return a })
	do(t, d, whole(0, a))
	for i, want := range []core.Micros{ms(10 + 3), ms(10 + 1), ms(10), ms(10)} {
		require.Equal(t, want, do(t, d, round(window(0, 64, 0))).Device, "round %d", i)
	}
	for idle, want := range []core.Micros{ms(100 + 30), ms(5 + 100 + 30)} {
		d.Wait(d.now + costmodel.IdleLeast - 1 + core.Micros(idle))
		step := whole(0, a)
		step.First, step.From = false, 64 // no beginning
		require.Equal(t, want, do(t, d, step).Device, "idle %d", idle)
	}
	d.truth.table.Prompt.IdleMs = 500
	d.Wait(d.now + costmodel.IdleLeast)
	step := whole(0, a)
	step.First, step.From = false, 64
	require.Equal(t, ms(2*100+30), do(t, d, step).Device, "no more than as much again")
	for unread, want := range []core.Micros{ms(4), ms(4.25)} {
		o := do(t, d, core.Action{Kind: core.Pass, Asks: []core.Ask{{Slot: 0, Depth: 3, Unread: unread > 0}}})
		require.Equal(t, want, o.Device)
	}
}

// A machine is not idle while what a step left running is not over, nor after
// the restoring of a state; to take a slot with none is no work.
func TestIdleIsNothingToDo(t *testing.T) {
	a := request(1, func(r *Request) { r.Prefix, r.PrefixTokens = 7, 32 })
	begin := core.Action{Kind: core.Begin, ID: 1, Rows: 64, First: true}
	rest := core.Action{Kind: core.Step, ID: 1, From: 32, Rows: 32, Last: true}
	step := func(d *Device) core.Micros { return do(t, d, rest).Device }
	table := calibrated()
	table.Prompt.TailMs = costmodel.Curve{{At: 64, Ms: 60}}
	open := func() *Device {
		return NewDevice(table, DefaultWorld(), 4, 4, func(core.ID) *Request { return a })
	}

	d := open()
	do(t, d, begin)
	busy := step(d)
	d = open()
	d.Wait(costmodel.IdleLeast)
	do(t, d, begin)
	require.Equal(t, busy+ms(5), step(d), "nothing was restored")
	d = open()
	d.kept.keep(7, 32)
	d.Wait(costmodel.IdleLeast)
	require.Equal(t, 32, do(t, d, begin).Rows)
	require.Equal(t, busy, step(d), "a state was restored")

	for idle, more := range []core.Micros{0, ms(5)} {
		d = open()
		do(t, d, begin)
		piece := rest
		piece.From, piece.Last = 0, false
		do(t, d, piece)
		require.Greater(t, d.tail, d.now+costmodel.IdleLeast)
		d.Wait(d.tail + costmodel.IdleLeast - 1 + core.Micros(idle))
		require.Equal(t, busy+more, step(d), "idle %d", idle)
	}
}

// lateClock is a clock whose sleeps end late, as those of a busy computer do.
type lateClock struct{ now core.Micros }

func (c *lateClock) Now() core.Micros       { return c.now }
func (c *lateClock) Wait(until core.Micros) { c.now = max(c.now, until) + late - 1 }

// A live machine that keeps its pace is not idle, however late it is woken, nor
// while the rest of a piece runs.
func TestIdleLive(t *testing.T) {
	const speed = 16 // at which a sleep that ends late is longer than idle ones
	clock, table := &lateClock{}, calibrated()
	table.Prompt.TailMs = costmodel.Curve{{At: 64, Ms: 60}}
	require.Greater(t, speed*(late-1), costmodel.IdleLeast)
	m, err := OpenLive(table, LiveOptions{Slots: 1, Context: 1000, Load: "vain", Clock: clock, Speed: speed})
	require.NoError(t, err)
	_, err = m.Begin(0, device.BeginOptions{})
	require.NoError(t, err)
	piece := func(from int) core.Micros {
		_, err := m.Piece(context.Background(), 0, from, make([]device.Token, 64))
		require.NoError(t, err)
		return m.worked
	}
	piece(0)
	require.Equal(t, ms(100), piece(64), "woken late")
	require.Greater(t, m.tail, m.asked+costmodel.IdleLeast)
	clock.now = m.tail/speed - 1
	require.Equal(t, ms(100), piece(128), "while the rest runs")
	clock.now = (m.tail+costmodel.IdleLeast)/speed + 1
	require.Equal(t, ms(5+100), piece(192), "idle")
}

// Who decodes plainly for long catches up on no more than the table says.
func TestMostBehindLive(t *testing.T) {
	table := calibrated()
	table.Drafter.IngestRoundMs, table.Drafter.MostBehind = 1, 3
	m, err := OpenLive(table, LiveOptions{Slots: 1, Context: 1000, Load: "vain", Speed: 10})
	require.NoError(t, err)
	require.Equal(t, 3, m.Info().DraftBehind)
	_, err = m.Begin(0, device.BeginOptions{})
	require.NoError(t, err)
	_, _, err = m.Finish(context.Background(), 0, 0, make([]device.Token, 64), device.FinishOptions{})
	require.NoError(t, err)
	for rows := range 8 {
		_, err = m.Verify([]device.Window{{Slot: 0, Position: 64 + rows}}, nil)
		require.NoError(t, err)
	}
	_, err = m.Pass([]device.Ask{{Slot: 0, Depth: 3}}, nil)
	require.NoError(t, err)
	require.Equal(t, ms(4+0.5+3), core.Micros(m.Worked().Microseconds())*10)
}

// The live machine charges the same: its drafts are all kept, none or some.
func TestCachesCostLive(t *testing.T) {
	const speed = 10
	for load, keeps := range map[string]bool{"sure": true, "vain": false} {
		m, err := OpenLive(calibrated(), LiveOptions{Slots: 1, Context: 1000, Load: load, Speed: speed})
		require.NoError(t, err)
		_, err = m.Begin(0, device.BeginOptions{})
		require.NoError(t, err)
		time.Sleep(5 * time.Millisecond) // it is idle
		_, _, err = m.Finish(context.Background(), 0, 0, make([]device.Token, 64), device.FinishOptions{})
		require.NoError(t, err)
		rows, drafts := 64, []device.Draft(nil)
		verify := func(drafts []device.Draft) core.Micros {
			w := device.Window{Slot: 0, Position: rows}
			for _, d := range drafts {
				w.Drafts = append(w.Drafts, d.Token)
			}
			v, err := m.Verify([]device.Window{w}, nil)
			require.NoError(t, err)
			rows += len(v[0].Tokens)
			require.Equal(t, keeps && len(drafts) > 0, v[0].Kept == len(drafts) && v[0].Kept > 0, load)
			return core.Micros(m.Worked().Microseconds()) * speed
		}
		require.InDelta(t, int64(ms(5+7+100+30)), m.Worked().Microseconds()*speed, 1500)
		require.Equal(t, ms(10+3), verify(nil))
		require.Equal(t, ms(10+1), verify(nil))
		more := core.Micros(0)
		for i := range 3 {
			drafts, err = m.Pass([]device.Ask{{Slot: 0, Depth: 3}}, drafts[:0])
			require.NoError(t, err)
			late := core.Micros(0)
			if i == 0 {
				late = ms(0.5) // what was decoded plainly
			}
			require.Equal(t, ms(4)+late+more, core.Micros(m.Worked().Microseconds())*speed, load)
			require.Equal(t, ms(16), verify(drafts))
			if keeps {
				more = ms(0.25)
			}
		}
		// A part of them tells that the rest was read.
		drafts, err = m.Pass([]device.Ask{{Slot: 0, Depth: 3}}, drafts[:0])
		require.NoError(t, err)
		verify(drafts[:1])
		_, err = m.Pass([]device.Ask{{Slot: 0, Depth: 3}}, drafts[:0])
		require.NoError(t, err)
		require.Equal(t, ms(4), core.Micros(m.Worked().Microseconds())*speed, load)
	}
}
