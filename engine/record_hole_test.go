package engine

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
)

// An entry that cannot be written ends the record: nothing after it would make
// sense without it.
func TestRecordHasNoHoles(t *testing.T) {
	var file bytes.Buffer
	told := 0
	r, err := newRecorder(&file, core.DefaultConfig(), nil, func(string) { told++ })
	require.NoError(t, err)
	r.add(Entry{At: 1, Cancel: 1})
	r.add(Entry{At: 2, Outcome: &core.Outcome{Confidences: []float64{math.NaN()}}})
	r.add(Entry{At: 3, Cancel: 2})
	require.ErrorContains(t, r.close(4), "the record is cut short")
	require.Equal(t, 1, told)
	lines := strings.Split(strings.TrimSpace(file.String()), "\n")
	require.Len(t, lines, 2)
	require.Equal(t, `{"at":1,"cancel":1}`, lines[1])
}
