package engine_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// Records that somebody altered or cut are replayed up to there, differ, or are
// refused with the line: never more.
func TestAlteredRecords(t *testing.T) {
	var file bytes.Buffer
	l := start(t, fake.Open(fake.Options{}), func(o *engine.Options) {
		o.Record = &file
		steps(&o.Config, 32)
	})
	var replies []*engine.Reply
	for i := range 8 {
		reply, err := l.Submit(context.Background(), ask(i, 40+i, 12))
		require.NoError(t, err)
		replies = append(replies, reply)
	}
	for _, reply := range replies {
		_, _ = reply.All(context.Background())
	}
	c := l.Config()
	c.StepRows = 8
	require.NoError(t, l.Reconfigure(context.Background(), c))
	require.NoError(t, l.Drain(context.Background()))
	lines := strings.Split(strings.TrimSpace(file.String()), "\n")
	rng := rand.New(rand.NewPCG(3, 4))
	kinds := map[string]int{}
	for range 500 {
		altered := append([]string(nil), lines...)
		i := rng.IntN(len(altered))
		s := altered[i]
		switch rng.IntN(5) {
		case 0:
			altered = append(altered[:i], altered[i+1:]...)
		case 1:
			altered[i] = altered[rng.IntN(len(altered))]
		case 2:
			at := rng.IntN(len(s))
			altered[i] = s[:at] + string(`0123456789{}"-,`[rng.IntN(15)]) + s[at+1:]
		case 3:
			altered[i] = renumber(rng, s)
		default:
			altered[i] = "{}"
		}
		x, err := engine.Replay(strings.NewReader(strings.Join(altered, "\n")), prices, nil)
		switch {
		case err != nil:
			require.NotContains(t, err.Error(), "\n\n")
			kinds["refused"]++
		case x.Difference != "":
			kinds["differs"]++
		default:
			kinds["same"]++
		}
	}
	require.Len(t, kinds, 3, kinds)
	// Each number of the configuration, far out of range.
	for _, other := range []string{"1099511627776", "-5", "0"} {
		for _, field := range regexp.MustCompile(`"[A-Za-z]+":[0-9]+`).FindAllString(lines[0], -1) {
			name, _, _ := strings.Cut(field, ":")
			first := strings.Replace(lines[0], field, name+":"+other, 1)
			_, _ = engine.Replay(strings.NewReader(first+"\n"+strings.Join(lines[1:], "\n")), prices, nil)
		}
	}
}

// renumber changes one number of a line.
func renumber(rng *rand.Rand, s string) string {
	var starts []int
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	for i := range s {
		if digit(i) && !digit(i-1) {
			starts = append(starts, i)
		}
	}
	if len(starts) == 0 {
		return s
	}
	from := starts[rng.IntN(len(starts))]
	to := from
	for digit(to) {
		to++
	}
	n, _ := strconv.Atoi(s[from:to])
	other := []int{0, -1, n + 1, 1 << 40, -(1 << 40)}[rng.IntN(5)]
	return s[:from] + strconv.Itoa(other) + s[to:]
}
