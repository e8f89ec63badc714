package core

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// playPrefix drives a scheduler to its end with steps of a microsecond a row, and
// notes when each request got its lane and how far its prompt was restored.
// States are kept once a prompt is in.
func playPrefix(t *testing.T, cfg Config, requests ...Request) (lane map[ID]Micros, restored map[ID]int) {
	t.Helper()
	lane, restored = map[ID]Micros{}, map[ID]int{}
	cfg.Sink = sinkFunc(func(e *Event) {
		switch e.Kind {
		case EventAdmitted:
			lane[e.ID] = e.At
		case EventBegin:
			restored[e.ID] = e.Rows
		}
	})
	s, err := New(cfg)
	require.NoError(t, err)
	byID := map[ID]Request{}
	for _, r := range requests {
		byID[r.ID] = r
		require.NoError(t, s.Submit(0, r))
	}
	kept := map[uint64]bool{}
	for now := Micros(0); ; {
		a := s.Next(now)
		o := Outcome{Device: 1, Wall: 1}
		switch a.Kind {
		case Wait:
			require.Zero(t, s.Waiting()+s.Filling()+s.Decoding())
			return lane, restored
		case Begin:
			if r := byID[a.ID]; kept[r.Prefix] {
				o.Rows = r.PrefixRows
			}
		case Step:
			o.Rows = a.Rows
			o.Wall = Micros(a.Rows)
			kept[byID[a.ID].Prefix] = kept[byID[a.ID].Prefix] || a.Last
		case Round:
			for range a.Windows {
				o.Slots = append(o.Slots, SlotOutcome{Emitted: 1})
			}
		}
		now += o.Wall
		require.NoError(t, s.Done(now, &o))
	}
}

type sinkFunc func(*Event)

func (f sinkFunc) Record(e *Event) { f(e) }

// A prompt whose beginning another runs waits for its state, within the bound;
// others go first meanwhile, and one that would gain nothing does not wait.
func TestPrefixWait(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Drafts, cfg.Steps, cfg.StepRows = false, true, 100
	first := Request{ID: 1, Prompt: 1000, Output: 1, Prefix: 7, PrefixRows: 900}
	same := Request{ID: 2, Prompt: 1000, Output: 1, Prefix: 7, PrefixRows: 900}
	other := Request{ID: 3, Prompt: 50, Output: 1}
	for _, c := range []struct {
		name     string
		wait     Micros
		change   func()
		lane     Micros
		restored int
	}{
		{"waits", 60_000_000, func() {}, 1050, 900},
		{"not at all", 0, func() {}, 0, 0},
		{"gives up", 500, func() {}, 550, 0},
		{"another prefix", 60_000_000, func() { same.Prefix = 8 }, 0, 0},
		{"nothing to gain", 60_000_000, func() { same.Prefix, same.PrefixRows = 7, 0 }, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.change()
			cfg.PrefixWait = c.wait
			lane, restored := playPrefix(t, cfg, first, same, other)
			require.Zero(t, lane[1])
			require.LessOrEqual(t, lane[3], Micros(2), "a request behind goes first")
			require.InDelta(t, int64(c.lane), int64(lane[2]), 3)
			require.Equal(t, c.restored, restored[2])
		})
	}
}
