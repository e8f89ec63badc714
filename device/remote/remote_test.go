package remote_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/devicetest"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/device/remote"
)

// pipe is a connection to a server in this process.
type pipe struct {
	turns, asides stream
	server        [2]stream
	served        chan struct{}
	once          sync.Once
}

type stream struct {
	*io.PipeReader
	*io.PipeWriter
}

func (s stream) Close() error {
	return errors.Join(s.PipeReader.Close(), s.PipeWriter.Close())
}

func streams() (a, b stream) {
	ar, bw := io.Pipe()
	br, aw := io.Pipe()
	return stream{ar, aw}, stream{br, bw}
}

func newPipe() *pipe {
	p := &pipe{served: make(chan struct{})}
	p.turns, p.server[0] = streams()
	p.asides, p.server[1] = streams()
	return p
}

func (p *pipe) Turns() io.ReadWriter  { return p.turns }
func (p *pipe) Asides() io.ReadWriter { return p.asides }

func (p *pipe) Close() error {
	p.once.Do(func() {
		p.turns.Close()
		p.asides.Close()
		<-p.served
	})
	return nil
}

func (p *pipe) Kill() { _ = p.Close() }

// serve dials devices that open makes.
func serve(open func() device.Device) remote.Dial {
	return func(context.Context) (remote.Conn, error) {
		p := newPipe()
		go func() {
			defer close(p.served)
			_ = remote.Serve(open(), p.server[0], p.server[1])
			p.server[0].Close()
			p.server[1].Close()
		}()
		return p, nil
	}
}

func open(t testing.TB, o fake.Options) *remote.Client {
	t.Helper()
	d, err := remote.Open(context.Background(), serve(func() device.Device { return fake.Open(o) }), remote.Patience{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestConformance(t *testing.T) {
	devicetest.Run(t, func(t *testing.T, o devicetest.Options) device.Device {
		return open(t, fake.Options{Slots: o.Slots, Context: o.Context})
	})
}

func TestInfoAndText(t *testing.T) {
	near, far := fake.Open(fake.Options{}), open(t, fake.Options{})
	if a, b := near.Info(), far.Info(); a.StateKey != b.StateKey || a.Shapes != b.Shapes || a.Promise != b.Promise || !slices.Equal(a.Ends, b.Ends) {
		t.Errorf("%+v became %+v", a, b)
	}
	text := "What is said here\nis said there."
	tokens, err := far.Tokenize(text, false, false)
	if err != nil || string(far.AppendText(nil, tokens...)) != text {
		t.Errorf("%q: %v, %v", text, tokens, err)
	}
}

// A tokenize does not wait for a prompt.
func TestTokenizeMeanwhile(t *testing.T) {
	running, free := make(chan struct{}), make(chan struct{})
	var once sync.Once
	d := open(t, fake.Options{OnChunk: func(int, int) { once.Do(func() { close(running); <-free }) }})
	if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := d.Piece(context.Background(), 0, 0, make([]device.Token, 100))
		done <- err
	}()
	<-running
	if _, err := d.Tokenize("now", false, false); err != nil {
		t.Error(err)
	}
	close(free)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A cancel reaches a prompt that runs.
func TestCancelReaches(t *testing.T) {
	running := make(chan struct{})
	var once sync.Once
	d := open(t, fake.Options{ChunkRows: 1, OnChunk: func(int, int) {
		once.Do(func() { close(running) })
		time.Sleep(time.Millisecond)
	}})
	if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-running; cancel() }()
	n, err := d.Piece(ctx, 0, 0, make([]device.Token, 4000))
	if !errors.Is(err, context.Canceled) || n >= 4000 || n < 1 {
		t.Errorf("%d rows, %v", n, err)
	}
}

// A server that dies takes its slots along and nothing else.
func TestLostAndRestarted(t *testing.T) {
	var conns []*pipe
	dial := serve(func() device.Device { return fake.Open(fake.Options{}) })
	d, err := remote.Open(context.Background(), func(ctx context.Context) (remote.Conn, error) {
		c, err := dial(ctx)
		conns = append(conns, c.(*pipe))
		return c, err
	}, remote.Patience{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for range 3 {
		if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
			t.Fatal(err)
		}
		conns[len(conns)-1].Close()
		if _, err := d.Piece(context.Background(), 0, 0, []device.Token{1}); !errors.Is(err, device.ErrLost) {
			t.Fatalf("a call of a dead server: %v", err)
		}
		if err := d.Release(0); !errors.Is(err, device.ErrLost) {
			t.Fatalf("once more: %v", err)
		}
		if _, err := d.Tokenize("x", false, false); !errors.Is(err, device.ErrLost) {
			t.Fatalf("tokenize: %v", err)
		}
		if err := d.Restart(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// serveBytes serves a fake what the bytes say, as turns and as asides.
func serveBytes(in []byte) error {
	type both struct {
		io.Reader
		io.Writer
	}
	return remote.Serve(fake.Open(fake.Options{}), both{bytes.NewReader(in), io.Discard}, both{bytes.NewReader(in), io.Discard})
}

// A server survives what is no request, and says so.
func TestMalformedRequests(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var in bytes.Buffer
		for range 1 + rng.IntN(5) {
			n := rng.IntN(30)
			in.Write([]byte{byte(n), 0, 0, 0, 0, 0, 0, 0, byte(rng.Uint32()), 0, 0, byte(rng.IntN(2) * 128), byte(1 + rng.IntN(12))})
			for range n {
				in.WriteByte(byte(rng.Uint32()))
			}
		}
		_ = serveBytes(in.Bytes())
	}
	if err := serveBytes(bytes.Repeat([]byte{0xff}, 40)); err == nil {
		t.Error("garbage is no stream of requests")
	}
}

func FuzzServe(f *testing.F) {
	f.Add([]byte{2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 7, 2, 0})
	f.Fuzz(func(_ *testing.T, in []byte) {
		_ = serveBytes(in)
	})
}

// What the way there and back adds to a round of four windows, within one
// process.
func BenchmarkRound(b *testing.B) {
	d := open(b, fake.Options{Context: 1 << 30})
	windows := make([]device.Window, 4)
	drafts := make([]device.Token, 3)
	for i := range windows {
		if _, err := d.Begin(i, device.BeginOptions{}); err != nil {
			b.Fatal(err)
		}
		if _, _, err := d.Finish(context.Background(), i, 0, []device.Token{1}, device.FinishOptions{}); err != nil {
			b.Fatal(err)
		}
		windows[i] = device.Window{Slot: i, Position: 1, Drafts: drafts}
	}
	var verdicts []device.Verdict
	var worked time.Duration
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if verdicts, err = d.Verify(windows, verdicts[:0]); err != nil {
			b.Fatal(err)
		}
		worked += d.Worked()
		for i := range windows {
			windows[i].Position += len(verdicts[i].Tokens)
		}
	}
	b.ReportMetric(float64(b.Elapsed()-worked)/float64(b.N), "ns-over/op")
}
