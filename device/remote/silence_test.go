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

// ended is a connection that tells its end.
type ended struct {
	*pipe
	once sync.Once
	end  chan struct{}
}

func (c *ended) Close() error {
	c.once.Do(func() {
		// What is ended gives no answer any more.
		_ = c.turns.Close()
		_ = c.asides.Close()
		close(c.end)
	})
	return c.pipe.Close()
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
	}, time.Minute)
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

// A server that says nothing for too long is ended; another goes on.
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
