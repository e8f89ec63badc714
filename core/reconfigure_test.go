package core

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReconfigureTurnsStepsOn(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Drafts = false
	cfg.Lanes = 2
	s, err := New(cfg)
	require.NoError(t, err)
	require.NoError(t, s.Submit(0, Request{ID: 1, Prompt: 4, Output: 9}))
	a := s.Next(0)
	require.Error(t, s.Reconfigure(cfg), "an action is outstanding")
	require.NoError(t, s.Done(5, &Outcome{Rows: a.Rows, Wall: 5}))
	cfg.Steps, cfg.StepRows = true, 100
	require.NoError(t, s.Reconfigure(cfg))
	require.NoError(t, s.Submit(6, Request{ID: 2, Prompt: 250, Output: 1}))
	require.Equal(t, Round, s.Next(6).Kind)
	require.NoError(t, s.Done(7, &Outcome{Wall: 1, Slots: []SlotOutcome{{Emitted: 1}}}))
	a = s.Next(7)
	require.Equal(t, Step, a.Kind)
	require.Equal(t, 100, a.Rows, "a prompt that arrives after the change runs in steps")
	require.NoError(t, s.Done(9, &Outcome{Rows: a.Rows, Wall: 3}))
	require.Equal(t, Round, s.Next(9).Kind)
}

func TestReconfigureRefuses(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Drafts = false
	s, err := New(cfg)
	require.NoError(t, err)
	bad := cfg
	bad.StepRows = 0
	require.ErrorContains(t, s.Reconfigure(bad), "step rows")
	bad = cfg
	bad.Lanes++
	require.ErrorContains(t, s.Reconfigure(bad), "lanes cannot change")
}
