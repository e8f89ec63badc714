package study_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
)

func load(t testing.TB) *scenario.File {
	f, err := scenario.Load("../../scenarios/long-beside-short.yaml")
	require.NoError(t, err)
	return f
}

// A stream gives the events that playing the cell at once writes.
func TestStreamEqualsPlay(t *testing.T) {
	f := load(t)
	o := study.Options{Cases: []string{"reply first"}, Arms: []string{"decode-share"}}
	var want bytes.Buffer
	withEvents := o
	withEvents.Events = &want
	_, err := study.Play(context.Background(), f, withEvents)
	require.NoError(t, err)

	script, err := study.NewScript(f, o)
	require.NoError(t, err)
	require.Equal(t, []study.Title{{Case: "reply first", Arm: "decode-share"}}, script.Cells())
	for range 2 { // it starts anew each time
		s, err := script.Open(0)
		require.NoError(t, err)
		var got bytes.Buffer
		name := ""
		out := result.NewJSONL(&got, func(core.ID) string { return name })
		for {
			line, ok := s.Next()
			if !ok {
				break
			}
			name = line.Request
			out.Record(&line.Event)
		}
		require.NoError(t, s.Err())
		_, events, _ := strings.Cut(want.String(), "\n") // without its head
		require.Equal(t, events, got.String())
		s.Close()
	}
}

func TestStreamCloses(t *testing.T) {
	script, err := study.NewScript(load(t), study.Options{})
	require.NoError(t, err)
	s, err := script.Open(0)
	require.NoError(t, err)
	_, ok := s.Next()
	require.True(t, ok)
	s.Close()
	s.Close()
	_, ok = s.Next()
	require.False(t, ok)
	require.NoError(t, s.Err())
}

func TestScriptErrors(t *testing.T) {
	_, err := study.NewScript(load(t), study.Options{Set: []study.Assignment{{Name: "TENSORFOLD_PREFILL_SHARE", Text: "2"}}})
	require.Error(t, err)
	require.False(t, strings.Contains(err.Error(), "\n"))
}

func BenchmarkStream(b *testing.B) {
	script, err := study.NewScript(load(b), study.Options{})
	require.NoError(b, err)
	b.ReportAllocs()
	var s *study.Stream
	for range b.N {
		if s != nil {
			if _, ok := s.Next(); ok {
				continue
			}
			s.Close()
		}
		if s, err = script.Open(2); err != nil {
			b.Fatal(err)
		}
	}
	s.Close()
}
