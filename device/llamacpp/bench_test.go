package llamacpp_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/llamacpp"
)

// A round of the demo pair, and what the way to the other process and back
// adds to it: ns-over/op.
func BenchmarkRound(b *testing.B) {
	for _, streams := range []int{1, 4} {
		for _, drafts := range []int{0, 3} {
			b.Run(fmt.Sprintf("streams=%d/drafts=%d", streams, drafts), func(b *testing.B) {
				o := settings(b)
				o.Context = 512
				d := open(b, o)
				guess := make([]device.Token, drafts)
				windows := make([]device.Window, streams)
				for i := range windows {
					windows[i] = device.Window{Slot: i, Drafts: guess}
				}
				var verdicts []device.Verdict
				var worked, over []time.Duration
				b.ReportAllocs()
				for b.Loop() {
					if at := windows[0].Position; at == 0 || at > 500 {
						b.StopTimer()
						refill(b, d, windows)
						b.StartTimer()
					}
					start := time.Now()
					var err error
					if verdicts, err = d.Verify(windows, verdicts[:0]); err != nil {
						b.Fatal(err)
					}
					took := time.Since(start)
					worked, over = append(worked, d.Worked()), append(over, took-d.Worked())
					for i := range windows {
						windows[i].Position += len(verdicts[i].Tokens)
					}
				}
				slices.Sort(worked)
				slices.Sort(over)
				n := len(over)
				b.ReportMetric(float64(worked[n/2]), "ns-worked/op")
				b.ReportMetric(float64(over[n/2]), "ns-over/op")
				b.ReportMetric(float64(over[n/10]), "ns-over-p10/op")
			})
		}
	}
}

func refill(b *testing.B, d device.Device, windows []device.Window) {
	b.Helper()
	for i := range windows {
		if windows[i].Position > 0 {
			if err := d.Release(i); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := d.Begin(i, device.BeginOptions{}); err != nil {
			b.Fatal(err)
		}
		text := []device.Token{4, 5, 6, device.Token(7 + i)}
		if _, _, err := d.Finish(context.Background(), i, 0, text, device.FinishOptions{}); err != nil {
			b.Fatal(err)
		}
		windows[i].Position = len(text)
	}
}

// A prompt alone, by its length, the rule that batches keep to, and the rows of
// a chunk.
func BenchmarkPrompt(b *testing.B) {
	for _, rows := range []int{1024, 8192} {
		for _, exact := range []string{"on", "whole", "off"} {
			for _, chunk := range []int{32, 128} {
				b.Run(fmt.Sprintf("rows=%d/%s/chunk=%d", rows, exact, chunk), func(b *testing.B) {
					if rows > 1024 && testing.Short() {
						b.Skip("short")
					}
					benchmarkPrompt(b, rows, exact, chunk)
				})
			}
		}
	}
}

func benchmarkPrompt(b *testing.B, rows int, exact string, chunk int) {
	o := settings(b)
	o.Exact, o.Drafter, o.Context, o.ChunkRows = exact, llamacpp.DrafterNone, rows, chunk
	d := open(b, o)
	prompt := make([]device.Token, rows)
	for i := range prompt {
		prompt[i] = device.Token(1 + i*7%4000)
	}
	for b.Loop() {
		if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
			b.Fatal(err)
		}
		if _, _, err := d.Finish(context.Background(), 0, 0, prompt, device.FinishOptions{}); err != nil {
			b.Fatal(err)
		}
		if err := d.Release(0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*rows), "µs/token")
}

// A pass of four drafts for one and four streams.
func BenchmarkPass(b *testing.B) {
	for _, streams := range []int{1, 4} {
		b.Run(fmt.Sprintf("streams=%d", streams), func(b *testing.B) {
			d := open(b, settings(b))
			windows := make([]device.Window, streams)
			asks := make([]device.Ask, streams)
			for i := range windows {
				windows[i].Slot = i
				asks[i] = device.Ask{Slot: i, Depth: 4}
			}
			refill(b, d, windows)
			var drafts []device.Draft
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if drafts, err = d.Pass(asks, drafts[:0]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
