package llamacpp

import (
	"os"

	"github.com/tfsim/tfsim/device/llamacpp/gguf"
	"github.com/tfsim/tfsim/device/memory"
)

// Load is what a model and its drafter take of a device's memory, as far as
// their files tell: buffers come on top. The error is a file's.
func (s Settings) Load() (memory.Load, error) {
	l := memory.Load{Slots: s.Slots, Context: s.Context}
	files := []string{s.Model}
	if s.Drafter != DrafterNone && s.Drafter != DrafterLookup {
		files = append(files, s.Drafter)
	}
	for _, file := range files {
		head, err := gguf.Open(file)
		if err != nil {
			return l, err
		}
		st, err := os.Stat(file)
		if err != nil {
			return l, err
		}
		l.Weights += st.Size() * int64(max(head.Parts, 1)) // parts are about as large as each other
		l.RowBytes += head.RowBytes()
	}
	return l, nil
}
