package metal

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

const gibibyte = 1 << 30

func TestAdmit(t *testing.T) {
	m := Machine{Chip: "Apple M3 Ultra", GPUCores: 80, Memory: 512 * gibibyte, WorkingSet: 464 * gibibyte, Allocated: 4 * gibibyte}
	for _, c := range []struct {
		name string
		load Load
		want string // of the refusal
	}{
		{"fits", Load{Weights: 400 * gibibyte, RowBytes: 70_000, Slots: 4, Context: 131_072}, ""},
		{"just fits", Load{Weights: 460 * gibibyte}, ""},
		{"weights alone are too much", Load{Weights: 461 * gibibyte}, "of which weights 461.0 GiB; the GPU has room for 460.0 GiB of 464.0 GiB"},
		{"cache is too much", Load{Weights: 400 * gibibyte, RowBytes: 1 << 20, Slots: 4, Context: 65_536}, "4 slots fit with a context of 15360 instead of 65536"},
	} {
		err := m.Admit(c.load)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if !errors.Is(err, ErrMemory) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	raised := m
	raised.WiredLimit = 490 * gibibyte
	if err := raised.Admit(Load{Weights: 480 * gibibyte}); err != nil {
		t.Errorf("with a raised limit: %v", err)
	}
	if err := (Machine{}).Admit(Load{Weights: 1 << 50}); err != nil {
		t.Errorf("a machine that does not say its limit refuses: %v", err)
	}
}

func TestIdentity(t *testing.T) {
	m := Machine{Chip: "Apple M3 Ultra", GPU: "Apple M3 Ultra", GPUCores: 80, Memory: 512 * gibibyte}
	if got := m.Identity(); got != "Apple M3 Ultra, 80 GPU cores, 512 GiB" || m.Backend() != "metal" {
		t.Errorf("%s on %s", got, m.Backend())
	}
	if got := (Machine{Memory: 8 * gibibyte}).Identity(); got != "unknown chip, 8 GiB" {
		t.Error(got)
	}
}

func TestThermal(t *testing.T) {
	var w Watch
	var got []string
	for _, state := range []int{0, 1, 1, 2, 7, 0, -1} {
		if c, turned := w.See(thermalOf(state)); turned {
			got = append(got, c.String())
		}
	}
	want := "thermal nominal → fair, thermal fair → serious, thermal serious → critical, thermal critical → nominal"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s, want %s", s, want)
	}
	for i, name := range thermalNames {
		level, err := ParseThermal(name)
		if err != nil || int(level) != i || level.String() != name || level.Throttles() != (i >= 2) {
			t.Errorf("%s: %v, %v", name, level, err)
		}
	}
	if _, err := ParseThermal("warm"); err == nil {
		t.Error("warm is no thermal state")
	}
}

func TestRead(t *testing.T) {
	m, err := Read()
	if runtime.GOOS != "darwin" || runtime.GOARCH != "arm64" {
		if !errors.Is(err, ErrNoMac) {
			t.Errorf("%+v, %v", m, err)
		}
		t.Skip("not a Mac with Apple silicon")
	}
	if err != nil || m.Chip == "" || m.Memory == 0 || m.WorkingSet == 0 {
		t.Errorf("%+v, %v", m, err)
	}
	thermal, err := ReadThermal()
	t.Logf("%s, thermal %s, %v", m.Identity(), thermal, err)
}
