package sim_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/devicetest"
	"github.com/tfsim/tfsim/sim"
)

func openLive(t testing.TB, o sim.LiveOptions) *sim.Live {
	t.Helper()
	table, err := costmodel.Open("m5-ultra-512gb")
	require.NoError(t, err)
	m, err := sim.OpenLive(table, o)
	require.NoError(t, err)
	return m
}

func TestLiveConformance(t *testing.T) {
	devicetest.Run(t, func(t *testing.T, want devicetest.Options) device.Device {
		return openLive(t, sim.LiveOptions{Slots: want.Slots, Context: want.Context, Speed: 1e6})
	})
}

// A call takes as long as the table says, at the speed asked for.
func TestLiveTakesItsTime(t *testing.T) {
	const speed = 5
	m := openLive(t, sim.LiveOptions{Slots: 2, Context: 1000, Speed: speed})
	_, err := m.Begin(0, device.BeginOptions{})
	require.NoError(t, err)
	ctx := context.Background()
	prompt := make([]device.Token, 128)
	started := time.Now()
	_, _, err = m.Finish(ctx, 0, 0, prompt, device.FinishOptions{})
	require.NoError(t, err)
	require.GreaterOrEqual(t, time.Since(started), 250*time.Millisecond/speed)
	started = time.Now()
	const rounds = 10
	for k := range rounds {
		_, err := m.Verify([]device.Window{{Slot: 0, Position: 128 + k}}, nil)
		require.NoError(t, err)
		require.InDelta(t, 21.5/speed, float64(m.Worked())/1e6, 0.2)
	}
	// Work that follows a sleep which ended late takes that much less.
	require.GreaterOrEqual(t, time.Since(started), rounds*20*time.Millisecond/speed)
}

// A prompt ends at a chunk when its context does.
func TestLivePromptStops(t *testing.T) {
	m := openLive(t, sim.LiveOptions{Slots: 1, Context: 100_000, Speed: 200})
	_, err := m.Begin(0, device.BeginOptions{})
	require.NoError(t, err)
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer stop()
	rows, err := m.Piece(ctx, 0, 0, make([]device.Token, 90_000))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Positive(t, rows)
	require.Less(t, rows, 90_000)
	require.Zero(t, rows%4096)
}

func TestWords(t *testing.T) {
	w := sim.NewWords()
	for _, text := range []string{"", " the machine", "Grüße, 世界!\n\x00\xff", strings.Repeat("zq", 100)} {
		require.Equal(t, text, string(w.AppendText(nil, w.Tokenize(text)...)))
	}
	english := "Please write a short story about a machine that answers questions for the people of a city."
	n := len(w.Tokenize(english))
	require.Less(t, n, len(english)/2)
	require.Greater(t, n, len(english)/8)
}

// A reply reads as words, is the same every time, and follows its seed when
// sampled.
func TestLiveText(t *testing.T) {
	say := func(s device.Sampling) string {
		m := openLive(t, sim.LiveOptions{Slots: 1, Context: 1000, Speed: 1e6})
		_, err := m.Begin(0, device.BeginOptions{})
		require.NoError(t, err)
		prompt, err := m.Tokenize("hello there", false, false)
		require.NoError(t, err)
		first, _, err := m.Finish(context.Background(), 0, 0, prompt, device.FinishOptions{Sampling: s})
		require.NoError(t, err)
		text := m.AppendText(nil, first)
		for k := range 40 {
			v, err := m.Verify([]device.Window{{Slot: 0, Position: len(prompt) + k}}, nil)
			require.NoError(t, err)
			text = m.AppendText(text, v[0].Tokens...)
		}
		return string(text)
	}
	greedy := say(device.Sampling{})
	require.Equal(t, greedy, say(device.Sampling{Seed: 7}))
	a, b := say(device.Sampling{Temperature: 1, Seed: 1}), say(device.Sampling{Temperature: 1, Seed: 2})
	require.Equal(t, a, say(device.Sampling{Temperature: 1, Seed: 1}))
	require.NotEqual(t, a, b)
	require.NotEqual(t, a, greedy)
	require.Greater(t, len(strings.Fields(greedy)), 30)
	t.Log(greedy)
}
