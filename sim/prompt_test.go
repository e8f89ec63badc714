package sim

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
)

// A whole prompt looks at the stop flag between chunks: 4,096 rows take 4 s at
// the start and 5 s from row 4,096 on.
func TestAbortBetweenChunks(t *testing.T) {
	for _, c := range []struct {
		name   string
		cancel core.Micros
		rows   int
		wall   core.Micros
	}{
		{"at once", 1, 4096, ms(7 + 4000)},
		{"in the first chunk", ms(3000), 4096, ms(7 + 4000)},
		{"at its end", ms(4007), 4096, ms(7 + 4000)},
		{"just after", ms(4007) + 1, 8192, ms(7 + 4000 + 5000)},
		{"in the last chunk", ms(9008), 10000, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := request(1, func(r *Request) { r.Prompt, r.CancelAt = 10000, c.cancel })
			d := server(DefaultWorld(), r)
			o := do(t, d, whole(0, r))
			require.Equal(t, c.rows, o.Rows)
			if c.rows == r.Prompt {
				require.Equal(t, core.OK, o.Status, "the work is done before the flag is looked at")
				return
			}
			require.Equal(t, core.Aborted, o.Status)
			require.Equal(t, c.wall, o.Wall)
		})
	}
}

// The run as a whole: the client goes away at 3 s, its prompt ends at the
// chunk's end, and who waited for the slot has it then.
func TestCancelledPromptFreesItsSlot(t *testing.T) {
	table := exact()
	c := config(t, table)
	c.Lanes = 1
	long := *request(1, func(r *Request) { r.Prompt, r.CancelAt = 100_000, ms(3000) })
	short := *request(2, func(r *Request) { r.Output = 1 })
	p, report := play(t, table, DefaultWorld(), c, 0, []Timed{{Request: long}, {At: ms(100), Request: short}})
	require.Equal(t, ms(7+4000)+ms(7+100+30), report.End)
	var ends []core.Event
	for _, e := range p.events {
		if e.Kind == core.EventCancelled || e.Kind == core.EventFinished {
			ends = append(ends, e)
		}
		require.False(t, e.Kind == core.EventTokens && e.ID == 1, "nothing is delivered mid-prompt")
	}
	require.Len(t, ends, 2)
	require.Equal(t, core.EventCancelled, ends[0].Kind)
	require.Equal(t, ms(4007), ends[0].At)
}

// A request with a kept prefix restores it in 2 ms and runs the rows left.
func TestRestoredPrompt(t *testing.T) {
	table := exact()
	c := config(t, table)
	prefix := func(r *Request) { r.Prompt, r.Output, r.Prefix, r.PrefixTokens = 128, 1, 7, 64 }
	first, second := *request(1, prefix), *request(2, prefix)
	p, report := play(t, table, DefaultWorld(), c, 1, []Timed{{Request: first}, {At: ms(1000), Request: second}})
	require.Equal(t, ms(1000)+ms(2+100+30), report.End)
	var begins []int
	for _, e := range p.events {
		if e.Kind == core.EventBegin {
			begins = append(begins, e.Rows)
		}
		if e.Kind == core.EventStep && e.ID == 2 {
			require.Equal(t, [2]int{64, 64}, [2]int{e.From, e.Rows})
		}
	}
	require.Equal(t, []int{0, 64}, begins)
}

// At least one row is left to run, and no more is restored than the request
// shares or the cache keeps.
func TestRestoredRows(t *testing.T) {
	for _, c := range []struct {
		name                         string
		kept, prefix, prompt, expect int
	}{
		{"all that it shares", 50, 50, 64, 50},
		{"less than is kept", 50, 20, 64, 20},
		{"more than is kept", 20, 50, 64, 20},
		{"the whole prompt", 64, 64, 64, 63},
		{"a prompt of one row", 10, 1, 1, 0},
	} {
		r := request(1, func(r *Request) { r.Prompt, r.Prefix, r.PrefixTokens = c.prompt, 7, c.prefix })
		d := server(DefaultWorld(), r)
		d.kept.keep(7, c.kept)
		o := do(t, d, core.Action{Kind: core.Begin, ID: 1, Rows: c.prompt, First: true})
		require.Equal(t, c.expect, o.Rows, c.name)
		want := ms(2)
		if c.expect == 0 {
			want = 0
		}
		require.Equal(t, want, o.Wall, c.name)
	}
}

// A longer state takes longer to restore, where the table says so.
func TestRestoreByRows(t *testing.T) {
	table := exact()
	table.RestoreMsPer1K = 500 // half a millisecond for each row
	r := request(1, func(r *Request) { r.Prefix, r.PrefixTokens = 7, 50 })
	d := NewDevice(table, DefaultWorld(), 1, 4, func(core.ID) *Request { return r })
	d.kept.keep(7, 40)
	require.Equal(t, ms(2+20), do(t, d, core.Action{Kind: core.Begin, ID: 1, Rows: 64, First: true}).Wall)

	m, err := OpenLive(table, LiveOptions{Slots: 1, Context: 100, Load: "vain", Speed: 1000})
	require.NoError(t, err)
	_, err = m.Begin(0, device.BeginOptions{})
	require.NoError(t, err)
	_, err = m.Piece(context.Background(), 0, 0, make([]device.Token, 40))
	require.NoError(t, err)
	state, err := m.Save(0)
	require.NoError(t, err)
	require.NoError(t, m.Release(0))
	_, err = m.Begin(0, device.BeginOptions{State: state})
	require.NoError(t, err)
	require.Equal(t, ms(2+20), m.worked)
}

// A prompt that was cut short keeps no state.
func TestAbortKeepsNoState(t *testing.T) {
	r := request(1, func(r *Request) { r.Prompt, r.CancelAt, r.Prefix, r.PrefixTokens = 10000, 1, 7, 100 })
	d := server(DefaultWorld(), r)
	do(t, d, whole(0, r))
	require.Zero(t, d.kept.find(7))
}

func TestUnknownActions(t *testing.T) {
	a := core.Action{Kind: core.Wait}
	var o core.Outcome
	require.ErrorContains(t, server(DefaultWorld()).Do(&a, &o), "wait")
}
