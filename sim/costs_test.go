package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
)

// Without noise an action takes what the table says, to the microsecond. The
// context adds a microsecond for each token.
func TestRoundCosts(t *testing.T) {
	const filled = 64
	for _, c := range []struct {
		name    string
		change  func(r *Request)
		windows []core.Window
		launch  []int
		want    core.Micros
	}{
		{"a plain row", nil, []core.Window{window(0, filled, 0)}, []int{1}, ms(10) + 64},
		{"three drafts", nil, []core.Window{window(0, filled, 3)}, []int{1}, ms(16) + 64},
		{"two drafts lie between", nil, []core.Window{window(0, filled, 2)}, []int{1}, ms(14) + 64},
		{"a deep context", nil, []core.Window{window(0, 100_000, 0)}, []int{1}, ms(110)},
		{"drawn rows", func(r *Request) { r.Temperature = 1 }, []core.Window{window(0, filled, 3)}, []int{1}, ms(16+4*0.125) + 64},
		{"a second sequence", nil, []core.Window{window(0, filled, 0), window(1, filled, 0)}, []int{2}, ms(12+3) + 128},
		{"rows of two texts", nil, []core.Window{window(0, filled, 1), window(1, filled, 1)}, []int{2}, ms(16+3+2*0.25) + 128},
		{"the same text", func(r *Request) { r.Text, r.Twin = 9, true },
			[]core.Window{window(0, filled, 1), window(1, filled, 1)}, []int{2}, ms(12+3+2*0.5) + 128},
		{"the same text, one window longer", func(r *Request) { r.Text, r.Twin = 9, true },
			[]core.Window{window(0, filled, 1), window(1, filled, 3)}, []int{2}, ms(16+3+2*0.5) + 128},
		{"the same text elsewhere", func(r *Request) { r.Text, r.Twin = 9, true },
			[]core.Window{window(0, filled, 1), window(1, filled+1, 1)}, []int{2}, ms(16+3+2*0.25) + 129},
		{"the same text, drawn", func(r *Request) { r.Text, r.Twin, r.Temperature = 9, true, 1 },
			[]core.Window{window(0, filled, 1), window(1, filled, 1)}, []int{2}, ms(16+3+2*0.25+4*0.125) + 128},
		{"two launches", nil, []core.Window{window(0, filled, 0), window(1, filled, 0)}, []int{1, 1}, ms(10+10+2) + 128},
		{"twins of two launches share nothing", func(r *Request) { r.Text, r.Twin = 9, true },
			[]core.Window{window(0, filled, 0), window(1, filled, 0)}, []int{1, 1}, ms(10+10+2) + 128},
		{"padding is rows", nil, []core.Window{{Slot: 0, ID: 1, Position: filled, Pad: 3}}, []int{1}, ms(16) + 64},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.change == nil {
				c.change = func(*Request) {}
			}
			a, b := request(1, c.change), request(2, c.change)
			d := server(DefaultWorld(), a, b)
			do(t, d, whole(0, a))
			do(t, d, whole(1, b))
			o := do(t, d, core.Action{Kind: core.Round, Windows: c.windows, Launches: c.launch})
			require.Equal(t, c.want, o.Device)
			require.Equal(t, c.want, o.Wall)
		})
	}
}

// A machine that pads windows charges for the rows that they take.
func TestPaddedRoundCosts(t *testing.T) {
	const filled = 64
	table := exact()
	table.Limits.Least, table.Limits.Multiple = 2, 4
	a := request(1)
	d := NewDevice(table, DefaultWorld(), 4, 4, func(core.ID) *Request { return a })
	do(t, d, whole(0, a))
	for drafts, want := range []core.Micros{ms(16), ms(16), ms(16), ms(16), ms(24)} {
		o := do(t, d, round(window(0, filled, drafts)))
		require.Equal(t, want+filled, o.Device, "%d drafts", drafts)
	}
	m, err := OpenLive(table, LiveOptions{Slots: 1, Context: 100, Load: "vain", Speed: 1e6})
	require.NoError(t, err)
	for drafts, want := range []int{4, 4, 4, 4, 8} {
		l := m.weigh([]device.Window{{Slot: 0, Drafts: make([]device.Token, drafts)}})
		require.Equal(t, want, l[0].Rows, "%d drafts", drafts)
	}
}

func TestPassCosts(t *testing.T) {
	for _, c := range []struct {
		name string
		asks []core.Ask
		was  bool // launched early
		want core.Micros
	}{
		{"one ask", []core.Ask{{Slot: 0, Depth: 3}}, false, ms(4)},
		{"depth is free", []core.Ask{{Slot: 0, Depth: 5}}, false, ms(4)},
		{"a second ask", []core.Ask{{Slot: 0, Depth: 3}, {Slot: 1, Depth: 3}}, false, ms(5)},
		{"one catches up", []core.Ask{{Slot: 0, Depth: 3, CatchUp: 7}, {Slot: 1, Depth: 3}}, false, ms(5.5)},
		{"launched early", []core.Ask{{Slot: 0, Depth: 3}}, true, ms(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := request(1), request(2)
			d := server(DefaultWorld(), a, b)
			do(t, d, whole(0, a))
			do(t, d, whole(1, b))
			o := do(t, d, core.Action{Kind: core.Pass, Asks: c.asks, Early: c.was})
			require.Equal(t, c.want, o.Wall)
			depth := 0
			for _, k := range c.asks {
				depth += k.Depth
			}
			require.Len(t, o.Confidences, depth)
		})
	}
}

// A prompt of 192 rows in steps of 64 beside a reply: begin 7, a chunk 100, 5
// for each chunk beside it, 20 for one that was not staged, finish 30. A step
// that does not end the prompt is done 8 early, and what is left of it comes
// first in whatever follows.
func TestStepCosts(t *testing.T) {
	reply, long := request(1), request(2, func(r *Request) { r.Prompt = 192 })
	d := server(DefaultWorld(), reply, long)
	step := func(from, rows int, beside bool) core.Action {
		return core.Action{Kind: core.Step, Slot: 1, ID: 2, From: from, Rows: rows, Last: from+rows == 192, First: from == 0, Beside: beside}
	}
	for _, c := range []struct {
		name         string
		action       core.Action
		device, wall core.Micros
	}{
		{"a whole prompt alone", whole(0, reply), ms(7 + 100 + 30), ms(7 + 100 + 30)},
		{"the first step is not staged", step(0, 64, true), ms(7 + 100 + 5 + 20), ms(7 + 100 + 5 + 20 - 8)},
		{"the tail lands in the round", round(window(0, 64, 0)), ms(10) + 64, ms(8+10) + 64},
		{"and only once", round(window(0, 65, 0)), ms(10) + 65, ms(10) + 65},
		{"the second step is staged", step(64, 64, true), ms(100 + 5), ms(100 + 5 - 8)},
		{"the last ends the prompt", step(128, 64, false), ms(100 + 30), ms(8 + 100 + 30)},
	} {
		o := do(t, d, c.action)
		require.Equal(t, c.device, o.Device, c.name)
		require.Equal(t, c.wall, o.Wall, c.name)
	}
}

// What was staged is one prompt's next chunk of one size.
func TestStaging(t *testing.T) {
	staged, fresh := ms(100+5-8), ms(100+5+20-8)
	step := func(id core.ID, from, rows int) core.Action {
		return core.Action{Kind: core.Step, Slot: int(id - 1), ID: id, From: from, Rows: rows, First: from == 0, Beside: true}
	}
	long := func(r *Request) { r.Prompt = 1000 }
	d := server(DefaultWorld(), request(1, long), request(2, long))
	steps := func(want core.Micros, a core.Action) {
		t.Helper()
		if a.First {
			want += ms(7)
		}
		if o := do(t, d, a); o.Wall != want {
			require.Equal(t, want, o.Wall)
		}
		d.Wait(d.now + ms(50)) // the tail runs out
	}
	steps(fresh, step(1, 0, 64))
	steps(staged, step(1, 64, 64))
	steps(fresh, step(2, 0, 64))
	steps(fresh, step(1, 128, 64))
	steps(staged, step(1, 192, 64))
	a := step(1, 256, 64)
	a.Release = []int{1}
	steps(staged, a) // another slot's release changes nothing
	a = step(2, 0, 64)
	a.Release = []int{0}
	steps(fresh, a)
}

// Waiting through the tail of a step hides it.
func TestTailRunsWhileWaiting(t *testing.T) {
	long := request(1, func(r *Request) { r.Prompt = 128 })
	d := server(DefaultWorld(), long)
	do(t, d, core.Action{Kind: core.Step, ID: 1, Rows: 64, First: true})
	require.Equal(t, ms(99), d.Now())
	d.Wait(ms(104))
	o := do(t, d, core.Action{Kind: core.Step, ID: 1, From: 64, Rows: 64, Last: true})
	require.Equal(t, ms(3+100+30), o.Wall)
	require.Equal(t, ms(100+30), o.Device)
}

// The scheduler's events add up to the same figures: a lone request that
// keeps every draft.
func TestLoneRequest(t *testing.T) {
	table := exact()
	c := config(t, table)
	r := request(1, func(r *Request) { r.Output = 13 })
	p, report := play(t, table, DefaultWorld(), c, 0, []Timed{{At: 500, Request: *r}})
	var kinds []string
	for _, e := range p.events {
		kinds = append(kinds, e.Kind.String())
	}
	require.Equal(t, []string{"submitted", "admitted", "step", "tokens",
		"pass", "round", "tokens", "pass", "round", "tokens", "finished"}, kinds)
	rounds := ms(4+20) + 64 + ms(4+20) + 70
	require.Equal(t, 500+ms(7+100+30)+rounds, report.End)
}
