package devicetest

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tfsim/tfsim/device"
)

const (
	slots  = 4
	rows   = 512
	after  = 64 // tokens compared after the first
	prompt = 330
)

// bench is a device under test, and the helpers to drive it.
type bench struct {
	*testing.T
	d    device.Device
	info *device.Info
	open Open
}

func newBench(t *testing.T, open Open) *bench {
	b := &bench{T: t, open: open}
	b.d = b.fresh()
	b.info = b.d.Info()
	return b
}

// fresh opens another device.
func (b *bench) fresh() device.Device {
	b.Helper()
	d := b.open(b.T, Options{Slots: slots, Context: rows})
	b.Cleanup(func() { _ = d.Close() })
	return d
}

// at is the bench of a subtest. A subtest that fails leaves its slots free for
// the next.
func (b *bench) at(t *testing.T) *bench {
	c := *b
	c.T = t
	t.Cleanup(func() {
		for slot := range slots {
			_ = c.d.Release(slot) // most are free
		}
	})
	return &c
}

// exact skips the test on a device that does not promise exactness.
func (b *bench) exact() {
	b.Helper()
	if p := b.info.Promise; p.Level < device.Exact {
		b.Skipf("the device promises %s: %s", p.Level, p.Reason)
	}
}

// widest is the most rows of a window for which the promise holds, at most 8.
func (b *bench) widest() int {
	n := 1
	for n < 8 && b.info.Holds(n+1) && n+1 <= b.info.Shapes.LaunchRows {
		n++
	}
	return n
}

// text is a random prompt.
func (b *bench) text(seed uint64, n int) []device.Token {
	rng := rand.New(rand.NewPCG(seed, 77))
	t := make([]device.Token, n)
	for i := range t {
		t[i] = device.Token(1 + rng.IntN(b.info.Vocabulary-1))
	}
	return t
}

// ways are how tokens are drawn in the tests.
var ways = []struct {
	name string
	s    device.Sampling
}{
	{"greedy", device.Sampling{}},
	{"sampled", device.Sampling{Temperature: 1, TopK: 40, TopP: 0.95, MinP: 0.01, Seed: 11}},
}

func (b *bench) begin(slot int, o device.BeginOptions) int {
	b.Helper()
	n, err := b.d.Begin(slot, o)
	if err != nil {
		b.Fatalf("begin slot %d: %v", slot, err)
	}
	return n
}

func (b *bench) piece(slot, from int, tokens []device.Token) {
	b.Helper()
	n, err := b.d.Piece(context.Background(), slot, from, tokens)
	if err != nil || n != len(tokens) {
		b.Fatalf("piece of %d at %d of slot %d: %d rows, %v", len(tokens), from, slot, n, err)
	}
}

func (b *bench) finish(slot, from int, tokens []device.Token, s device.Sampling) device.Token {
	b.Helper()
	first, n, err := b.d.Finish(context.Background(), slot, from, tokens, device.FinishOptions{Sampling: s})
	if err != nil || n != len(tokens) {
		b.Fatalf("finish of %d at %d of slot %d: %d rows, %v", len(tokens), from, slot, n, err)
	}
	return first
}

// fill begins a slot and feeds a whole prompt.
func (b *bench) fill(slot int, prompt []device.Token, s device.Sampling) device.Token {
	b.Helper()
	b.begin(slot, device.BeginOptions{})
	return b.finish(slot, 0, prompt, s)
}

func (b *bench) verify(windows ...device.Window) []device.Verdict {
	b.Helper()
	v, err := b.d.Verify(windows, nil)
	if err != nil {
		b.Fatalf("verify %+v: %v", windows, err)
	}
	if len(v) != len(windows) {
		b.Fatalf("verify gave %d verdicts for %d windows", len(v), len(windows))
	}
	for i := range v {
		if v[i].Kept < 0 || v[i].Kept > len(windows[i].Drafts) || len(v[i].Tokens) != v[i].Kept+1 {
			b.Fatalf("window %+v: kept %d with %d tokens", windows[i], v[i].Kept, len(v[i].Tokens))
		}
		if !slices.Equal(v[i].Tokens[:v[i].Kept], windows[i].Drafts[:v[i].Kept]) {
			b.Fatalf("window %+v: kept %d, but drew %v", windows[i], v[i].Kept, v[i].Tokens)
		}
	}
	return v
}

// plain decodes n tokens one row at a time.
func (b *bench) plain(slot, position, n int) (out []device.Token) {
	b.Helper()
	for range n {
		v := b.verify(device.Window{Slot: slot, Position: position})
		out = append(out, v[0].Tokens...)
		position++
	}
	return out
}

func (b *bench) release(slots ...int) {
	b.Helper()
	if err := b.d.Release(slots...); err != nil {
		b.Fatalf("release %v: %v", slots, err)
	}
}

// alone is what slot 0 gives for a prompt, whole, with nothing else running
// and one row at a time: the first token and n more.
func (b *bench) alone(prompt []device.Token, s device.Sampling, n int) []device.Token {
	b.Helper()
	first := b.fill(0, prompt, s)
	out := append([]device.Token{first}, b.plain(0, len(prompt), n)...)
	b.release(0)
	return out
}

func (b *bench) same(got, want []device.Token, what string) {
	b.Helper()
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			b.Fatalf("%s: token %d differs\n got  %v\n want %v", what, i, got, want)
		}
	}
	if len(got) != len(want) {
		b.Fatalf("%s: %d tokens, want %d", what, len(got), len(want))
	}
}

func tokensOf(drafts []device.Draft) []device.Token {
	t := make([]device.Token, len(drafts))
	for i := range drafts {
		t[i] = drafts[i].Token
	}
	return t
}
