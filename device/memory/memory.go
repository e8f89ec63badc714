// Package memory says whether a model fits a device before it is loaded, and
// what of it would.
package memory

import (
	"errors"
	"fmt"
)

// ErrRoom says that something does not fit the memory there is.
var ErrRoom = errors.New("not enough memory")

// Load is what a model takes of a device's memory.
type Load struct {
	// Weights are the bytes of the model and its drafter.
	Weights int64
	// RowBytes is what a row of the cache takes, 0 if unknown; there are Slots
	// of Context rows.
	RowBytes       int64
	Slots, Context int
	// Scratch is what the rest takes: buffers of a batch, kept states.
	Scratch int64
}

// Bytes is the whole of a load.
func (l Load) Bytes() int64 {
	return l.Weights + l.RowBytes*int64(l.Slots)*int64(l.Context) + l.Scratch
}

// Room is a device's memory.
type Room struct {
	// Of names the device: "the GPU".
	Of string
	// Limit is how many bytes it may hold, 0 if unknown; Used are taken.
	Limit, Used int64
}

// Admit refuses a load that does not fit beside what is used (ErrRoom). The
// error says what would fit.
func (r Room) Admit(l Load) error {
	if r.Limit <= 0 {
		return nil
	}
	room := max(r.Limit-r.Used, 0)
	need := l.Bytes()
	if need <= room {
		return nil
	}
	slots, context := int64(l.Slots), int64(l.Context)
	rest := room - l.Weights - l.Scratch
	rows := int64(0)
	if l.RowBytes > 0 && rest > 0 {
		rows = rest / l.RowBytes
	}
	text := fmt.Sprintf("%d slots with a context of %d need %s, and %s has room for %s of %s",
		slots, context, size(need), r.Of, size(room), size(r.Limit))
	if slots == 0 || rows < 1 {
		return fmt.Errorf("%w: %s; the weights alone are %s", ErrRoom, text, size(l.Weights))
	}
	fits := ""
	if n := rows / context; n > 0 && n < slots {
		fits = fmt.Sprintf("%d slots, or ", n)
	}
	return fmt.Errorf("%w: %s; %sa context of %d would fit", ErrRoom, text, fits, rows/slots)
}

func size(n int64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}
