package devicetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tfsim/tfsim/device"
)

func testInfo(b *bench) {
	i := b.info
	for what, ok := range map[string]bool{
		"slots as asked":        i.Slots == slots,
		"context as asked":      i.Context == rows,
		"a vocabulary":          i.Vocabulary > 1,
		"rows in a launch":      i.Shapes.LaunchRows >= i.Slots,
		"rows in a chunk":       i.Shapes.ChunkRows >= 1,
		"least rows":            i.Shapes.Least >= 1 && i.Shapes.Multiple >= 1,
		"a name and weights":    i.Name != "" && i.Backend != "" && i.Weights != "" && i.StateKey != "",
		"a reason of promise":   i.Promise.Reason != "",
		"a drafter if it draws": (i.DraftDepth > 0) == (i.Drafter != ""),
		"the same every time":   b.d.Info() == i,
	} {
		if !ok {
			b.Errorf("info lacks %s: %+v", what, i)
		}
	}
	for _, e := range i.Ends {
		if e < 0 || int(e) >= i.Vocabulary || !i.IsEnd(e) {
			b.Errorf("end %d of a vocabulary of %d", e, i.Vocabulary)
		}
	}
}

// A slot released in any phase is free, and the next request in it sees
// nothing of the last.
func testRelease(b *bench) {
	text, old := b.text(41, 70), b.text(42, 200)
	stages := []struct {
		name string
		run  func(*bench)
	}{
		{"begun", func(b *bench) { b.begin(0, device.BeginOptions{}) }},
		{"mid-prompt", func(b *bench) {
			b.begin(0, device.BeginOptions{})
			b.piece(0, 0, old[:133])
		}},
		{"finished", func(b *bench) { b.fill(0, old, device.Sampling{}) }},
		{"decoding", func(b *bench) {
			b.fill(0, old, device.Sampling{})
			b.plain(0, len(old), 7)
		}},
	}
	for _, s := range stages {
		b.Run(s.name, func(t *testing.T) {
			b := b.at(t)
			s.run(b)
			b.release(0)
			if err := b.d.Release(0); !errors.Is(err, device.ErrPhase) {
				b.Errorf("released twice: %v", err)
			}
			got := b.alone(text, device.Sampling{}, after)
			if b.info.Promise.Level >= device.Exact {
				clean := *b
				clean.d = b.fresh()
				b.same(got, clean.alone(text, device.Sampling{}, after), "after a release")
			}
		})
	}
}

// A prompt whose context ends stops between chunks and can go on.
func testCancel(b *bench) {
	text := b.text(43, 400)
	for _, name := range []string{"piece", "finish"} {
		b.Run(name, func(t *testing.T) {
			b := b.at(t)
			for _, checks := range []int{0, 1, 2} {
				ctx := &countdown{Context: context.Background(), left: checks, done: make(chan struct{})}
				b.begin(1, device.BeginOptions{})
				var n int
				var err error
				if name == "piece" {
					n, err = b.d.Piece(ctx, 1, 0, text)
				} else {
					_, n, err = b.d.Finish(ctx, 1, 0, text, device.FinishOptions{})
				}
				switch {
				case err == nil && n == len(text):
					// It was done before it looked.
					b.release(1)
					continue
				case !errors.Is(err, context.Canceled) || n < 0 || n >= len(text):
					b.Fatalf("cancelled after %d looks: %d rows, %v", checks, n, err)
				case checks == 0 && n != 0:
					b.Fatalf("cancelled from the start, and %d rows done", n)
				}
				first := b.finish(1, n, text[n:], device.Sampling{})
				got := append([]device.Token{first}, b.plain(1, len(text), 20)...)
				b.release(1)
				if b.info.Promise.Level >= device.Exact {
					b.same(got, b.alone(text, device.Sampling{}, 20), "gone on after a cancel")
				}
			}
		})
	}
}

// A prompt may be cancelled from elsewhere at any moment.
func testCancelAnyTime(b *bench) {
	text := b.text(44, 450)
	for i := range 6 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i*i)*500*time.Microsecond)
		b.begin(2, device.BeginOptions{})
		n, err := b.d.Piece(ctx, 2, 0, text)
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) || (err == nil) != (n == len(text)) {
			b.Fatalf("cancelled after a while: %d rows, %v", n, err)
		}
		if n < len(text) {
			b.finish(2, n, text[n:], device.Sampling{})
		}
		b.release(2)
	}
}

// countdown is a context that is cancelled at its nth look.
type countdown struct {
	context.Context
	left int
	done chan struct{}
	over bool
}

func (c *countdown) look() bool {
	if c.left--; c.left < 0 && !c.over {
		c.over = true
		close(c.done)
	}
	return c.over
}

func (c *countdown) Done() <-chan struct{} {
	return c.done
}

func (c *countdown) Err() error {
	if c.look() {
		return context.Canceled
	}
	return nil
}

// The same calls in the same order give the same tokens.
func testRepeats(b *bench) {
	if b.info.Promise.Level < device.Repeats {
		b.Skipf("the device promises nothing: %s", b.info.Promise.Reason)
	}
	run := func(d device.Device) (out []device.Token) {
		c := *b
		c.d = d
		a := []device.Token{c.fill(0, b.text(51, 80), ways[1].s)}
		e := []device.Token{c.fill(1, b.text(52, 33), ways[0].s)}
		for range 40 {
			v := c.verify(
				device.Window{Slot: 0, Position: 80 + len(a) - 1, Drafts: a[len(a)-1:]},
				device.Window{Slot: 1, Position: 33 + len(e) - 1})
			a, e = append(a, v[0].Tokens...), append(e, v[1].Tokens...)
		}
		return append(a, e...)
	}
	b.same(run(b.fresh()), run(b.d), "once more")
}

func testClosed(b *bench) {
	b.fill(0, b.text(53, 10), device.Sampling{})
	if err := b.d.Close(); err != nil {
		b.Fatalf("close: %v", err)
	}
	for name, call := range calls(b) {
		if err := call(); !errors.Is(err, device.ErrClosed) {
			b.Errorf("%s after close: %v", name, err)
		}
	}
	_ = b.d.Close() // no crash
}

func calls(b *bench) map[string]func() error {
	ctx := context.Background()
	one := []device.Token{1}
	return map[string]func() error{
		"begin": func() error { _, err := b.d.Begin(1, device.BeginOptions{}); return err },
		"piece": func() error { _, err := b.d.Piece(ctx, 0, 0, one); return err },
		"finish": func() error {
			_, _, err := b.d.Finish(ctx, 0, 0, one, device.FinishOptions{})
			return err
		},
		"pass": func() error { _, err := b.d.Pass([]device.Ask{{Slot: 0, Depth: 1}}, nil); return err },
		"verify": func() error {
			_, err := b.d.Verify([]device.Window{{Slot: 0, Position: 10}}, nil)
			return err
		},
		"release": func() error { return b.d.Release(0) },
		"save":    func() error { _, err := b.d.Save(0); return err },
	}
}

func testTokenizer(b *bench) {
	tk, ok := b.d.(device.Tokenizer)
	if !ok {
		b.Skip("the device has no tokenizer")
	}
	const text = "func main() {\n\tfmt.Println(\"hello, world\")\n}\n"
	tokens, err := tk.Tokenize(text, false, false)
	if err != nil || len(tokens) == 0 {
		b.Fatalf("tokenize: %d tokens, %v", len(tokens), err)
	}
	for _, k := range tokens {
		if k < 0 || int(k) >= b.info.Vocabulary {
			b.Fatalf("token %d of a vocabulary of %d", k, b.info.Vocabulary)
		}
	}
	out := tk.AppendText(nil, tokens...)
	if again, err := tk.Tokenize(string(out), false, false); err != nil || len(again) != len(tokens) {
		b.Errorf("%q came back as %q", text, out)
	}
	if got := tk.AppendText([]byte("x"), -1, device.Token(b.info.Vocabulary)); string(got) != "x" {
		b.Errorf("tokens outside the vocabulary have text %q", got)
	}
	b.fill(0, tokens, device.Sampling{})
}
