package engine

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
)

func TestDifference(t *testing.T) {
	begin := core.Action{Kind: core.Begin, ID: 3, Rows: 40}
	step := core.Action{Kind: core.Step, ID: 3, Slot: 1, From: 32, Rows: 8, Last: true}
	pass := core.Action{Kind: core.Pass, Asks: []core.Ask{{ID: 3, Depth: 2}, {ID: 4, Depth: 5}}}
	round := core.Action{Kind: core.Round, Windows: []core.Window{{ID: 3}, {ID: 4, Drafts: 4}, {ID: 5}}, Launches: []int{3}}
	other := func(a core.Action, change func(*core.Action)) *core.Action {
		change(&a)
		return &a
	}
	for _, c := range []struct {
		was  core.Action
		now  *core.Action
		want string
	}{
		{begin, &begin, ""},
		{step, other(step, func(a *core.Action) { a.Release, a.Windows = []int{}, []core.Window{} }), ""},
		{begin, &step, ": recorded a begin of request 3, now a step of 8 rows of request 3"},
		{round, &pass, ": recorded a round of 3 windows, now a pass of 2 asks"},
		{pass, &core.Action{Until: core.Never}, ": recorded a pass of 2 asks, now a wait"},
		{begin, other(begin, func(a *core.Action) { a.ID = 4 }), ", a begin of request 3: recorded ID 3, now 4"},
		{step, other(step, func(a *core.Action) { a.Last = false }), ", a step of 8 rows of request 3: recorded Last true, now false"},
		{step, other(step, func(a *core.Action) { a.From, a.Rows = 0, 32 }), ", a step of 8 rows of request 3: recorded From 32, now 0; Rows 8, now 32"},
		{step, other(step, func(a *core.Action) { a.Slot, a.ID, a.From, a.Rows = 0, 1, 0, 32 }), ", a step of 8 rows of request 3: recorded Slot 1, now 0; ID 3, now 1; 2 more"},
		{pass, other(pass, func(a *core.Action) { a.Asks = []core.Ask{{ID: 3, Depth: 2}, {ID: 4, Depth: 3}} }), ", a pass of 2 asks: recorded Asks[1].Depth 5, now 3"},
		{round, other(round, func(a *core.Action) { a.Windows = a.Windows[:2] }), ", a round of 3 windows: recorded Windows of 3, now of 2"},
		{round, other(round, func(a *core.Action) { a.Launches = []int{2, 1} }), ", a round of 3 windows: recorded Launches of 1, now of 2"},
		{round, other(round, func(a *core.Action) { a.Release = []int{1} }), ", a round of 3 windows: recorded Release of 0, now of 1"},
	} {
		require.Equal(t, c.want, difference(&c.was, c.now))
	}
	far := core.Action{Kind: core.Step, ID: math.MaxUint64, Slot: math.MinInt, From: math.MinInt, Rows: math.MinInt}
	require.Less(t, len(difference(&far, &step)), 200)
}

// What is the same is told without allocation.
func TestDifferenceAllocates(t *testing.T) {
	a := core.Action{Kind: core.Round, Windows: make([]core.Window, 16), Launches: []int{16}}
	b := core.Action{Kind: core.Round, Windows: make([]core.Window, 16), Launches: []int{16}}
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = difference(&a, &b) }))
}
