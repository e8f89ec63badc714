package remote_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/device/remote"
)

// ended is a connection that tells its end. Its server is given a while to end
// by itself, unless it is killed.
type ended struct {
	*pipe
	once sync.Once
	end  chan struct{}
}

func (c *ended) Close() error {
	c.once.Do(func() {
		time.Sleep(2 * time.Second)
		c.cut()
	})
	return c.pipe.Close()
}

func (c *ended) Kill() {
	c.once.Do(c.cut)
	c.pipe.Kill()
}

func (c *ended) cut() {
	// What is ended gives no answer any more.
	_ = c.turns.Close()
	_ = c.asides.Close()
	close(c.end)
}

// loads opens a device that takes an hour to load and may say nothing for a
// minute; options gets what is closed at a connection's end.
func loads(t *testing.T, options func(end <-chan struct{}) fake.Options) *remote.Client {
	t.Helper()
	d, err := remote.Open(context.Background(), func(ctx context.Context) (remote.Conn, error) {
		end := make(chan struct{})
		c, err := serve(func() device.Device {
			time.Sleep(time.Hour)
			return fake.Open(options(end))
		})(ctx)
		return &ended{pipe: c.(*pipe), end: end}, err
	}, remote.Patience{Ready: 2 * time.Hour, Answer: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Neither loading nor a prompt of many chunks is silence.
func TestLongIsNotSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := loads(t, func(<-chan struct{}) fake.Options {
			return fake.Options{ChunkRows: 1, OnChunk: func(int, int) { time.Sleep(50 * time.Second) }}
		})
		defer d.Close()
		if err := d.Restart(context.Background()); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour) // nobody asks anything
		for k := range 2 {
			if n, err := d.Piece(context.Background(), 0, 10*k, make([]device.Token, 10)); n != 10 || err != nil {
				t.Fatalf("%d rows, %v", n, err)
			}
		}
	})
}

// slow dials devices that take as long to load as is said when they are dialed.
func slow(loading *time.Duration) remote.Dial {
	return func(ctx context.Context) (remote.Conn, error) {
		ready, end := time.After(*loading), make(chan struct{})
		c, err := serve(func() device.Device {
			select {
			case <-ready:
			case <-end:
			}
			return fake.Open(fake.Options{})
		})(ctx)
		return &ended{pipe: c.(*pipe), end: end}, err
	}
}

// A server that does not greet in time is killed, as with the context; another
// goes on.
func TestNotReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loading := time.Hour
		d, err := remote.Open(t.Context(), slow(&loading), remote.Patience{Ready: 2 * time.Hour, Answer: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		loading = 3 * time.Hour
		for try := range 2 {
			began := time.Now()
			err := d.Restart(t.Context())
			if !errors.Is(err, remote.ErrNotReady) || err.Error() != "the device did not get ready within 2h0m0s" {
				t.Errorf("%v", err)
			}
			if _, err := d.Begin(0, device.BeginOptions{}); !errors.Is(err, device.ErrLost) {
				t.Errorf("%v", err)
			}
			want := 2 * time.Hour
			if try == 0 {
				want += 2 * time.Second // for the one that works to end by itself
			}
			if took := time.Since(began); took != want {
				t.Errorf("given up after %v", took)
			}
		}
		loading = time.Hour
		if err := d.Restart(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
			t.Error(err)
		}
	})
}

// The context ends a greeting at once, and says why.
func TestNotReadyCut(t *testing.T) {
	for _, most := range []time.Duration{0, 2 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			began, loading := time.Now(), time.Hour
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Minute, func() { cancel(errors.New("enough")) })
			_, err := remote.Open(ctx, slow(&loading), remote.Patience{Ready: most})
			if err == nil || err.Error() != "enough" {
				t.Errorf("%v", err)
			}
			if took := time.Since(began); took != time.Minute {
				t.Errorf("given up after %v", took)
			}
		})
	}
}

// A server that says nothing for too long is ended at once; another goes on.
func TestSilence(t *testing.T) {
	for _, name := range []string{"begin", "piece", "chunk"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hangs := true
				d := loads(t, func(end <-chan struct{}) fake.Options {
					hang := func(call string) error {
						if call == name && hangs {
							<-end
						}
						return nil
					}
					return fake.Options{OnCall: hang, OnChunk: func(int, int) { _ = hang("chunk") }}
				})
				defer d.Close()
				call := func() error {
					if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
						return err
					}
					_, err := d.Piece(context.Background(), 0, 0, make([]device.Token, 10))
					return err
				}
				began := time.Now()
				if err := call(); !errors.Is(err, device.ErrLost) || !strings.HasSuffix(err.Error(), "no answer within 1m0s") {
					t.Fatalf("%v", err)
				}
				if took := time.Since(began); took != time.Minute {
					t.Errorf("ended after %v", took)
				}
				if hop := d.Hop(); hop != 0 {
					t.Errorf("the way there and back took %v: it led nowhere", hop)
				}
				hangs = false
				if err := d.Restart(context.Background()); err != nil {
					t.Fatal(err)
				}
				if err := call(); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}
