package metal

import (
	"errors"
	"fmt"

	"github.com/tfsim/tfsim/device/memory"
)

// ErrNoMac says that this is not a Mac with Apple silicon.
var ErrNoMac = errors.New("metal: not a Mac with Apple silicon")

// Machine is an Apple machine.
type Machine struct {
	// Chip and GPU are their names: "Apple M3 Ultra" both, as a rule.
	Chip string
	GPU  string
	// GPUCores is 0 where the system does not say.
	GPUCores int
	// Memory is the machine's, WorkingSet how much of it the GPU can work in
	// without slowing down, Allocated what this process has on the GPU, and
	// MaxBuffer the largest single piece; all in bytes.
	Memory, WorkingSet, Allocated, MaxBuffer int64
	// WiredLimit is the working set that its owner has set, or 0.
	WiredLimit int64
	// Unified says that CPU and GPU share the memory.
	Unified bool
	// LowPower says that the owner asked for less speed.
	LowPower bool
}

// Room is what the GPU may hold: the recommended working set, or the limit that
// the owner has raised it to.
func (m Machine) Room() memory.Room {
	return memory.Room{Of: "the GPU", Limit: max(m.WorkingSet, m.WiredLimit), Used: m.Allocated}
}

// Backend is the kind of device that models should run on: "metal", or "cpu"
// where there is no GPU.
func (m Machine) Backend() string {
	if m.GPU == "" {
		return "cpu"
	}
	return "metal"
}

// Identity tells machines apart whose costs differ: "Apple M3 Ultra, 80 GPU
// cores, 512 GiB".
func (m Machine) Identity() string {
	s := m.Chip
	if s == "" {
		s = "unknown chip"
	}
	if m.GPUCores > 0 {
		s += fmt.Sprintf(", %d GPU cores", m.GPUCores)
	}
	return s + fmt.Sprintf(", %d GiB", (m.Memory+1<<29)>>30)
}
