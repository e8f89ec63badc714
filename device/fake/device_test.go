package fake_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/devicetest"
	"github.com/tfsim/tfsim/device/fake"
)

func TestConformance(t *testing.T) {
	for name, o := range map[string]fake.Options{
		"plain":     {},
		"padded":    {Least: 2, Multiple: 2},
		"no drafts": {DraftDepth: -1},
		"long rows": {ChunkRows: 1000},
	} {
		t.Run(name, func(t *testing.T) {
			devicetest.Run(t, func(_ *testing.T, want devicetest.Options) device.Device {
				o := o
				o.Slots, o.Context = want.Slots, want.Context
				return fake.Open(o)
			})
		})
	}
}

func TestLost(t *testing.T) {
	d := fake.Open(fake.Options{})
	if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
		t.Fatal(err)
	}
	d.Lose()
	if _, err := d.Piece(context.Background(), 0, 0, []device.Token{1}); !errors.Is(err, device.ErrLost) {
		t.Errorf("a call of a lost device: %v", err)
	}
	if err := d.Restart(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
		t.Errorf("after a restart: %v", err)
	}
}

// A drafter that is wrong one time in five keeps four in five of its first
// drafts.
func TestDrafter(t *testing.T) {
	d := fake.Open(fake.Options{})
	if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Finish(context.Background(), 0, 0, []device.Token{1, 2, 3}, device.FinishOptions{}); err != nil {
		t.Fatal(err)
	}
	kept, at := 0, 3
	const rounds = 1000
	for range rounds {
		drafts, err := d.Pass([]device.Ask{{Slot: 0, Depth: 1}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := d.Verify([]device.Window{{Slot: 0, Position: at, Drafts: []device.Token{drafts[0].Token}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		kept += v[0].Kept
		at += len(v[0].Tokens)
	}
	if kept < 760 || kept > 840 {
		t.Errorf("%d of %d first drafts kept", kept, rounds)
	}
}

// Work costs what it is said to, chunk by chunk.
func TestCost(t *testing.T) {
	var calls []string
	d := fake.Open(fake.Options{ChunkRows: 10, Cost: func(w fake.Work) time.Duration {
		calls = append(calls, fmt.Sprintf("%s %d+%d %v %d %d", w.Call, w.From, w.Rows, w.Last, len(w.Asks), len(w.Windows)))
		return time.Duration(len(calls)) * time.Microsecond
	}})
	if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Finish(context.Background(), 0, 0, make([]device.Token, 15), device.FinishOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := d.Worked(); got != 5*time.Microsecond {
		t.Errorf("two chunks of 2 and 3 µs took %v", got)
	}
	if _, err := d.Pass([]device.Ask{{Depth: 2}}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Verify([]device.Window{{Position: 15}}, nil); err != nil {
		t.Fatal(err)
	}
	want := "begin 0+0 false 0 0, chunk 0+10 false 0 0, chunk 10+5 true 0 0, pass 0+0 false 1 0, verify 0+0 false 0 1"
	if got := strings.Join(calls, ", "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
