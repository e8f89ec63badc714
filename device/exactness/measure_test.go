package exactness

import (
	"context"
	"testing"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
)

// wide is a device that goes another way in windows of more than two rows, at
// every seventh position.
type wide struct{ *fake.Device }

func (w wide) Verify(windows []device.Window, verdicts []device.Verdict) ([]device.Verdict, error) {
	for i := range windows {
		windows[i].Drafts = append([]device.Token(nil), windows[i].Drafts...)
	}
	rows := windows[0].Rows()
	v, err := w.Device.Verify(windows, verdicts)
	if err == nil && rows > 2 {
		tokens := v[0].Tokens
		if last := len(tokens) - 1; (windows[0].Position+last)%7 == 0 {
			tokens[last] = (tokens[last] + 1) % fake.Vocabulary
		}
	}
	return v, err
}

func text() Text {
	p := make([]device.Token, 120)
	for i := range p {
		p[i] = device.Token(1 + i*31%90)
	}
	return Text{Prompt: p, Tokens: 60, Sampling: device.Sampling{Temperature: 1, Seed: 3}}
}

func TestExactDevice(t *testing.T) {
	d := fake.Open(fake.Options{})
	for range 2 { // all slots are free again
		results, err := Measure(context.Background(), d, text(), Schedules(4))
		if err != nil {
			t.Fatal(err)
		}
		if len(results) != len(Schedules(4)) {
			t.Fatalf("%d results", len(results))
		}
		for _, r := range results {
			if r.Changed != 0 || r.First != -1 || r.Tokens != 60 {
				t.Errorf("%s: %+v", r.Schedule, r)
			}
		}
	}
}

func TestDeviceThatDiffers(t *testing.T) {
	results, err := Measure(context.Background(), wide{fake.Open(fake.Options{})}, text(), Schedules(4))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if differs := r.Schedule.Window > 2; (r.Changed > 0) != differs {
			t.Errorf("%s: %d of %d changed", r.Schedule, r.Changed, r.Tokens)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	d := fake.Open(fake.Options{})
	if _, err := Measure(ctx, d, text(), Schedules(4)); err == nil {
		t.Error("measured with a context that has ended")
	}
	if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
		t.Errorf("a slot is taken: %v", err)
	}
}
