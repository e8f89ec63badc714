package metal

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/tfsim/tfsim/device/memory"
)

const gibibyte = 1 << 30

func TestRoom(t *testing.T) {
	m := Machine{WorkingSet: 464 * gibibyte, Allocated: 4 * gibibyte}
	if r := m.Room(); r.Limit != 464*gibibyte || r.Used != 4*gibibyte {
		t.Errorf("%+v", r)
	}
	m.WiredLimit = 490 * gibibyte
	if r := m.Room(); r.Limit != 490*gibibyte {
		t.Errorf("with a raised limit: %+v", r)
	}
	if err := (Machine{}).Room().Admit(memory.Load{Weights: 1 << 50}); err != nil {
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
