package llamacpp

import (
	"os"
	"testing"
	"time"
)

// The time to load grows with the files, the drafter's among them, and with what
// a call may take.
func TestReady(t *testing.T) {
	const model, drafter = "testdata/models/target-q8_0.gguf", "testdata/models/draft-q8_0.gguf"
	o := Options{Settings: Defaults()}
	size := func(file string) time.Duration {
		st, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return time.Duration(st.Size()) * 50 * time.Nanosecond
	}
	for _, c := range []struct {
		answer         time.Duration
		model, drafter string
		want           time.Duration
	}{
		{0, model, DrafterLookup, 0},
		{time.Second, "none.gguf", DrafterNone, time.Minute},
		{time.Second, model, DrafterLookup, time.Minute + size(model)},
		{time.Second, model, drafter, time.Minute + size(model) + size(drafter)},
		{time.Hour, model, drafter, time.Hour + size(model) + size(drafter)},
	} {
		o.Answer, o.Model, o.Drafter = c.answer, c.model, c.drafter
		if got, want := o.Ready(), c.want.Truncate(time.Second); got != want {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
		if c.answer == 0 {
			continue
		}
		warm := o
		warm.WarmUp = true
		if got, want := warm.Ready(), (c.want + time.Minute).Truncate(time.Second); got != want {
			t.Errorf("%+v, warming up: %v, want %v", c, got, want)
		}
		if warm.GPULayers = 0; warm.Ready() != o.Ready() {
			t.Errorf("%+v: a CPU does not warm up, %v", c, warm.Ready())
		}
	}
}
