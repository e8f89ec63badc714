package metal

import (
	"errors"
	"fmt"
)

// ErrMemory says that something does not fit the working set.
var ErrMemory = errors.New("metal: beyond the working set")

// Load is what a model takes on the GPU.
type Load struct {
	// Weights are the bytes of the model and its drafter.
	Weights int64
	// RowBytes is what a row of the cache takes; there are Slots of Context.
	RowBytes       int64
	Slots, Context int
	// Scratch is what the rest takes: buffers of a batch, kept states.
	Scratch int64
}

// Bytes is the whole of a load.
func (l Load) Bytes() int64 {
	return l.Weights + l.RowBytes*int64(l.Slots)*int64(l.Context) + l.Scratch
}

// Limit is how much the GPU may hold: the recommended working set, or the
// limit that the owner has raised it to.
func (m Machine) Limit() int64 { return max(m.WorkingSet, m.WiredLimit) }

// Admit refuses a load that does not fit beside what is allocated. The error
// says what would fit.
func (m Machine) Admit(l Load) error {
	limit := m.Limit()
	if limit <= 0 {
		return nil // the system does not say
	}
	room := limit - m.Allocated
	need := l.Bytes()
	if need <= room {
		return nil
	}
	rest := room - l.Weights - l.Scratch
	if rest <= 0 || l.RowBytes <= 0 || l.Slots <= 0 {
		return fmt.Errorf("%w: needs %s, of which weights %s; the GPU has room for %s of %s",
			ErrMemory, gib(need), gib(l.Weights), gib(room), gib(limit))
	}
	return fmt.Errorf("%w: needs %s, the GPU has room for %s of %s; %d slots fit with a context of %d instead of %d",
		ErrMemory, gib(need), gib(room), gib(limit), l.Slots, rest/l.RowBytes/int64(l.Slots), l.Context)
}

func gib(n int64) string { return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30)) }
