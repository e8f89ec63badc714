package core

import (
	"fmt"
	"testing"
)

// line prices a round by its rows and windows and a pass by its depth, in
// nanoseconds.
type line struct{ first, row, window, pass, step Nanos }

func (l line) Round(s Shape) Nanos {
	return l.first + l.row*Nanos(s.Rows-1) + l.window*Nanos(s.Windows-1)
}

func (l line) Pass(a Asked) Nanos     { return l.pass + l.step*Nanos(a.Depth) }
func (l line) Cheapest(s Shape) Shape { return s }

// unitPrices is the table of the reference's unit tests.
var unitPrices = line{first: 21_400_000, row: 4_600_000, window: 650_000, pass: 3_520_000}

// steady is a scheduler with streams replies that decode without end, and the
// outcomes to drive it by: the text keeps two drafts a window where it can.
type steady struct {
	s       *Scheduler
	now     Micros
	outcome Outcome
}

func newSteady(tb testing.TB, streams int, drafts bool) *steady {
	tb.Helper()
	cfg := DefaultConfig()
	cfg.Lanes, cfg.Drafts, cfg.PlainStreams = streams, drafts, 0
	cfg.DepthRows = 16 * streams
	cfg.Prices = unitPrices
	s, err := New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	d := &steady{s: s}
	for k := range streams {
		if err := s.Submit(0, Request{ID: ID(k), Prompt: 1, Output: 1 << 40}); err != nil {
			tb.Fatal(err)
		}
	}
	for s.Decoding() < streams {
		d.action()
	}
	for range 64 {
		d.action()
	}
	return d
}

var scores = [5]float64{0.9, 0.8, 0.6, 0.5, 0.3}

func (d *steady) action() Kind {
	a := d.s.Next(d.now)
	o := &d.outcome
	o.Slots, o.Confidences = o.Slots[:0], o.Confidences[:0]
	o.Wall, o.Rows = 20_000, a.Rows
	switch a.Kind {
	case Pass:
		o.Device = 3520
		for k := range a.Asks {
			o.Confidences = append(o.Confidences, scores[:a.Asks[k].Depth]...)
		}
	case Round:
		rows := 0
		for k := range a.Windows {
			rows += a.Windows[k].Rows()
			kept := min(2, a.Windows[k].Drafts)
			o.Slots = append(o.Slots, SlotOutcome{Kept: kept, Emitted: kept + 1, Matched: true})
		}
		o.Device = Micros(unitPrices.Round(Shape{len(a.Windows), rows}) / 1000)
	}
	d.now += o.Wall
	if err := d.s.Done(d.now, o); err != nil {
		panic(err)
	}
	return a.Kind
}

// round acts until a round is done.
func (d *steady) round() {
	for d.action() != Round {
	}
}

var streamCounts = []int{1, 2, 4, 8, 16, 64, 256}

func benchmarkRound(b *testing.B, drafts bool) {
	for _, n := range streamCounts {
		b.Run(fmt.Sprintf("streams=%d", n), func(b *testing.B) {
			d := newSteady(b, n, drafts)
			b.ReportAllocs()
			for b.Loop() {
				d.round()
			}
		})
	}
}

// BenchmarkPlainRound is one decision and outcome of a round without drafts.
func BenchmarkPlainRound(b *testing.B) { benchmarkRound(b, false) }

// BenchmarkJointRound is a pass, the depth choice over all windows, and the
// round.
func BenchmarkJointRound(b *testing.B) { benchmarkRound(b, true) }
