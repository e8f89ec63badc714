package study_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
)

// played is every event of a stream and when its change took hold.
func played(t *testing.T, s *study.Stream) (lines []result.Line, held core.Micros) {
	t.Helper()
	defer s.Close()
	for {
		line, ok := s.Next()
		if !ok {
			require.NoError(t, s.Err())
			return lines, s.Held()
		}
		lines = append(lines, line)
	}
}

func plain(t *testing.T, script *study.Script, cell int) []result.Line {
	t.Helper()
	s, err := script.Open(cell)
	require.NoError(t, err)
	lines, held := played(t, s)
	require.Equal(t, core.Never, held)
	return lines
}

func changed(t *testing.T, script *study.Script, cell int, c study.Change) ([]result.Line, core.Micros) {
	t.Helper()
	s, err := script.OpenChanged(cell, c)
	require.NoError(t, err)
	return played(t, s)
}

// after is the change after so many events of a run.
func after(lines []result.Line, n int, set ...study.Assignment) study.Change {
	c := study.Change{Events: int64(n), Set: set}
	if n > 0 {
		c.At = lines[n-1].At
	}
	return c
}

func script(t *testing.T, path string, o study.Options) *study.Script {
	t.Helper()
	f, err := scenario.Load(path)
	require.NoError(t, err)
	s, err := study.NewScript(f, o)
	require.NoError(t, err)
	return s
}

const busy = "../../tui/testdata/busy.yaml"

// Up to the moment of a change the events are those of the unchanged run, at
// every moment; then the new setting holds, from the next decision on.
func TestChangeFromItsMomentOn(t *testing.T) {
	s := script(t, busy, study.Options{})
	lines := plain(t, s, 0)
	smaller := study.Assignment{Name: "TFSIM_STEP_ROWS", Text: "100"}
	seen := 0
	for n := range len(lines) {
		if n%17 != 0 {
			continue
		}
		got, held := changed(t, s, 0, after(lines, n, smaller))
		require.GreaterOrEqual(t, len(got), n)
		require.Equal(t, lines[:n], got[:n], "after %d events", n)
		if n > 0 {
			require.GreaterOrEqual(t, held, lines[n-1].At)
		}
		large := 0
		for i := range got {
			e := &got[i].Event
			if e.Kind != core.EventStep {
				continue
			}
			if e.Rows > 100 {
				large++
			}
			if e.At-e.Wall >= held {
				seen++
				require.LessOrEqual(t, e.Rows, 100, "a step decided at %d, the change held from %d on", e.At-e.Wall, held)
			}
			if e.At <= held && i >= n && e.At-e.Wall < lines[max(n-1, 0)].At {
				require.Equal(t, lines[i], got[i], "what ran at the moment goes on")
			}
		}
		if n == 0 {
			require.Zero(t, large)
		}
	}
	require.Greater(t, seen, 400)
}

// A change before the first event is the run that has the setting at its start.
func TestChangeAtTheStart(t *testing.T) {
	for _, set := range []study.Assignment{
		{Name: "--decode-share", Text: "0.5"}, {Name: "TENSORFOLD_PREFILL_ORDER", Text: "srpt"},
		{Name: "TF_DSV41_DRAFTS", Text: "0"}, {Name: "TF_DSV41_CALIB", Text: "cached"},
		{Name: "TFSIM_DRAFT_RULE", Text: "measured"}, {Name: "TFSIM_DRAFT_RULE", Text: "oracle"},
	} {
		t.Run(set.Name+"="+set.Text, func(t *testing.T) {
			want := plain(t, script(t, busy, study.Options{Set: []study.Assignment{set}}), 0)
			got, held := changed(t, script(t, busy, study.Options{}), 0, study.Change{Set: []study.Assignment{set}})
			require.Zero(t, held)
			require.Equal(t, want, got)
		})
	}
}

// A change to what is so already changes nothing.
func TestChangeToTheSame(t *testing.T) {
	s := script(t, busy, study.Options{})
	lines := plain(t, s, 0)
	for _, l := range s.Values(0).Explain() {
		text := ""
		if l.Origin != settings.OriginDefault {
			text = l.Text
		}
		c := after(lines, len(lines)/2, study.Assignment{Name: l.Setting.Name, Text: text})
		stream, err := s.OpenChanged(0, c)
		require.NoError(t, err, l.Setting.Name)
		require.True(t, stream.Same, l.Setting.Name)
		got, held := played(t, stream)
		require.Equal(t, core.Never, held)
		require.Equal(t, lines, got)
	}
}

// Every value worth trying of every setting can be changed to in the middle of
// a run, and every request still ends; or it is refused with one line.
func TestChangeOfEverySetting(t *testing.T) {
	s := script(t, busy, study.Options{})
	lines := plain(t, s, 0)
	refused := map[string]bool{}
	n := 0
	for _, l := range s.Values(0).Explain() {
		for _, text := range append(append([]string{""}, l.Setting.Search.Values...), l.Setting.Options...) {
			n += len(lines)/11 + 3
			c := after(lines, n%len(lines), study.Assignment{Name: l.Setting.Name, Text: text})
			name := fmt.Sprintf("%s=%s after %d", l.Setting.Name, text, c.Events)
			stream, err := s.OpenChanged(0, c)
			if err != nil {
				require.NotContains(t, err.Error(), "\n", name)
				refused[l.Setting.Name] = true
				continue
			}
			got, _ := played(t, stream)
			require.Equal(t, lines[:c.Events], got[:c.Events], name)
			over := 0
			for i := range got {
				switch got[i].Kind {
				case core.EventFinished, core.EventCancelled, core.EventFailed:
					over++
				}
			}
			require.Equal(t, 7, over, name)
		}
	}
	require.Equal(t, map[string]bool{"--parallel": true}, refused)
}

func TestChangeRefused(t *testing.T) {
	s := script(t, busy, study.Options{})
	for set, want := range map[study.Assignment]string{
		{Name: "--parallel", Text: "9"}:               "lanes cannot change while it runs (4 to 9): start it with --set --parallel=9",
		{Name: "--prompt-cache-gib", Text: "2.5"}:     "the prompt cache cannot change while it runs (0 to 2.5 GiB): start it with --set --prompt-cache-gib=2.5",
		{Name: "TENSORFOLD_PREFILL_SHARE", Text: "2"}: "TENSORFOLD_PREFILL_SHARE",
		{Name: "NOTHING", Text: "2"}:                  "NOTHING",
	} {
		_, err := s.OpenChanged(0, study.Change{Set: []study.Assignment{set}})
		require.ErrorContains(t, err, want)
	}
}

func TestChangedValues(t *testing.T) {
	s := script(t, busy, study.Options{})
	for _, l := range s.Values(0, study.Assignment{Name: "TENSORFOLD_PREFILL_SHARE", Text: "0.50"}).Explain() {
		if l.Setting.Name == "TENSORFOLD_PREFILL_SHARE" {
			require.Equal(t, "0.5", l.Text)
			require.Equal(t, study.OriginChange, l.Origin)
		}
	}
}
