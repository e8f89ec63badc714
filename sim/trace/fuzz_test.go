package trace_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/trace"
	"github.com/tfsim/tfsim/sim/trace/tracetest"
)

// Whatever a file holds, requests come in order and have lengths, and an error
// is one line that names the file.
func FuzzTrace(f *testing.F) {
	for _, s := range tracetest.Samples {
		data, err := os.ReadFile(filepath.Join(samples, s.File))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 1500)], byte(0))
	}
	f.Add([]byte("\ufeff[\n{\"conversations\": null}]"), byte(4))
	f.Fuzz(func(t *testing.T, data []byte, forced byte) {
		var o trace.Options
		if n := int(forced) % (len(trace.Formats) + 1); n > 0 {
			o.Format = trace.Formats[n-1]
		}
		tr, err := trace.New("file", bytes.NewReader(data), o)
		last := core.Micros(-1 << 62)
		for err == nil {
			var r trace.Request
			if err = tr.Next(&r); err != nil {
				break
			}
			if r.Prompt < 1 || r.Output < 1 || r.At < last || len(r.Blocks) > r.Prompt {
				t.Fatalf("%+v after %d", r, last)
			}
			last = r.At
		}
		if text := err.Error(); !errors.Is(err, io.EOF) && (!strings.HasPrefix(text, "file:") || strings.Contains(text, "\n")) {
			t.Fatalf("%q", text)
		}
	})
}
