package live

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
)

// slowly reads a line as package result does.
func slowly(text []byte) (line result.Line, ok bool) {
	n := 0
	err := result.ReadJSONL(bytes.NewReader(text), func(l *result.Line) error {
		line = *l
		n++
		return nil
	})
	return line, err == nil && n == 1
}

func TestQuickIsRight(t *testing.T) {
	data, err := os.ReadFile("../testdata/busy.jsonl")
	require.NoError(t, err)
	missed := 0
	for _, text := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		want, ok := slowly(text)
		require.True(t, ok)
		var got result.Line
		if !quick(text, &got) {
			missed++ // a name that is not ASCII
			continue
		}
		require.Equal(t, want, got)
	}
	require.LessOrEqual(t, missed, 80)
}

// The head of a run is no event, and nothing to count as unreadable.
func TestHeadsArePassedOver(t *testing.T) {
	var b bytes.Buffer
	out := result.NewJSONL(&b, nil)
	out.Begin(result.Head{Arm: "base"})
	out.Record(&core.Event{Kind: core.EventWait, Slot: -1})
	read, bad := 0, 0
	_ = newLines(&b, func(string) {}).read(func(*result.Line) { read++ }, func() { bad++ })
	require.Equal(t, []int{1, 0}, []int{read, bad})
}

// What is read quickly is read slowly too, and alike.
func FuzzQuick(f *testing.F) {
	f.Add([]byte(`{"at_us":500000,"event":"submitted","id":2,"request":"long","rows":131072,"tokens":64}`))
	f.Add([]byte(`{"at_us":-1,"event":"step","slot":0,"beside":true,"last":true,"reason":"aborted"}`))
	f.Add([]byte(`{"event":"wait","event":"round","at_us":01}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var got result.Line
		if !quick(text, &got) {
			return
		}
		want, ok := slowly(text)
		require.True(t, ok)
		require.Equal(t, want, got)
	})
}

// Whatever a server sends, reading ends, and no line is both read and bad.
func FuzzLines(f *testing.F) {
	f.Add([]byte("data: {}\n\n"))
	f.Add([]byte(": c\nid: 4\n{\"event\":\"wait\"}\r\nx: y\n{\"event\":\"wait\"}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		read, bad := 0, 0
		err := newLines(bytes.NewReader(body), func(string) {}).read(func(*result.Line) { read++ }, func() { bad++ })
		if err == nil {
			t.Fatal("no end")
		}
		if most := bytes.Count(body, []byte("\n")) + 1; read+bad > most {
			t.Fatalf("%d read and %d bad of %d lines", read, bad, most)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	data, err := os.ReadFile("../testdata/busy.jsonl")
	require.NoError(b, err)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		_ = newLines(bytes.NewReader(data), func(string) {}).read(func(*result.Line) { n++ }, func() {})
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
}
