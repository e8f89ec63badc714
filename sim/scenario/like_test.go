package scenario

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLikeChain holds that a long chain of requests, each like the one
// before, takes its load from the first and is read in linear time.
func TestLikeChain(t *testing.T) {
	const n = 2000
	var b strings.Builder
	b.WriteString("machine: m\ncases:\n- name: a\n  requests:\n")
	for i := n - 1; i > 0; i-- {
		fmt.Fprintf(&b, "  - {id: r%d, prompt: 1, output: 1, like: r%d}\n", i, i-1)
	}
	b.WriteString("  - {id: r0, prompt: 1, output: 1, load: code}\n")
	start := time.Now()
	f, err := Parse("a.yaml", []byte(b.String()))
	require.NoError(t, err)
	for _, r := range f.Cases[0].Requests {
		require.Equal(t, "code", r.Load.Names[0])
	}
	require.Less(t, time.Since(start), time.Minute)
}
