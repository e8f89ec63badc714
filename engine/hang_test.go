package engine_test

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/device/remote"
	"github.com/tfsim/tfsim/engine"
)

// far is a connection to a fake device in this process, which may hang until
// it is closed.
type far struct {
	turns, asides duplex
	once          sync.Once
	closed        chan struct{}
	served        chan struct{}
}

type duplex struct {
	*io.PipeReader
	*io.PipeWriter
}

func newDuplex() (a, b duplex) {
	ar, bw := io.Pipe()
	br, aw := io.Pipe()
	return duplex{ar, aw}, duplex{br, bw}
}

func (d duplex) Close() error {
	_ = d.PipeReader.Close()
	return d.PipeWriter.Close()
}

func (f *far) Turns() io.ReadWriter  { return f.turns }
func (f *far) Asides() io.ReadWriter { return f.asides }

func (f *far) Close() error {
	f.once.Do(func() {
		close(f.closed)
		_ = f.turns.Close()
		_ = f.asides.Close()
		<-f.served
	})
	return nil
}

func (f *far) Kill() { _ = f.Close() }

// hanging is a device at the other end of a connection, with calls that hang
// where hangs says so; its loading is one, "load", and may take ten times as
// long as a call.
type hanging struct {
	*remote.Client
	last atomic.Pointer[far]
}

func (h *hanging) Kill() { _ = h.last.Load().Close() }

func openHanging(t *testing.T, answer time.Duration, hangs func(call string) bool) *hanging {
	h := &hanging{}
	var err error
	h.Client, err = remote.Open(t.Context(), func(context.Context) (remote.Conn, error) {
		f := &far{closed: make(chan struct{}), served: make(chan struct{})}
		var turns, asides duplex
		f.turns, turns = newDuplex()
		f.asides, asides = newDuplex()
		hang := func(call string) error {
			if hangs(call) {
				<-f.closed
				_ = turns.Close() // what was ended gives no answer
			}
			return nil
		}
		d := fake.Open(fake.Options{Ends: true, OnCall: hang})
		go func() {
			defer close(f.served)
			_ = hang("load")
			_ = remote.Serve(d, turns, asides)
			_ = turns.Close()
			_ = asides.Close()
		}()
		h.last.Store(f)
		return f, nil
	}, remote.Patience{Ready: 10 * answer, Answer: answer})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

func startOn(t *testing.T, d device.Device) *engine.Live {
	t.Helper()
	return startTold(t, d, nil)
}

// startTold starts an engine whose notes are read.
func startTold(t *testing.T, d device.Device, notes chan<- string) *engine.Live {
	t.Helper()
	l, err := engine.Start(d, engine.Options{Config: config(fake.Open(fake.Options{})), Notes: notes})
	require.NoError(t, err)
	return l
}

// A device that hangs is ended and comes back, and nobody notices but by the
// time.
func TestHang(t *testing.T) {
	for _, call := range []string{"begin", "finish", "pass", "verify"} {
		t.Run(call, func(t *testing.T) {
			want := [][]device.Token{alone(t, ask(2, 30, 60)), alone(t, ask(3, 31, 60))}
			synctest.Test(t, func(t *testing.T) {
				calls, notes := 0, make(chan string, 2)
				l := startTold(t, openHanging(t, time.Minute, func(name string) bool {
					if name == call {
						calls++
					}
					return name == call && calls == 2
				}), notes)
				began := time.Now()
				var all sync.WaitGroup
				for i := range want {
					all.Go(func() {
						got, _ := whole(t, l, ask(2+i, 30+i, 60))
						require.Equal(t, want[i], got)
					})
				}
				all.Wait()
				require.Equal(t, time.Minute, time.Since(began))
				require.EqualValues(t, 1, l.Stats().Restarts)
				require.Equal(t, "the device was lost: device: lost: no answer within 1m0s", <-notes)
				require.Equal(t, "the device is back", <-notes)
				require.NoError(t, l.Close())
			})
		})
	}
}

// One that hangs again and again fails its requests, which are told why.
func TestHangsEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := startOn(t, openHanging(t, time.Minute, func(name string) bool { return name == "finish" }))
		reply, err := l.Submit(t.Context(), ask(2, 10, 5))
		require.NoError(t, err)
		_, err = reply.All(t.Context())
		require.ErrorIs(t, err, engine.ErrDevice)
		require.EqualError(t, err, "engine: the device failed 3 times in a row: device: lost: no answer within 1m0s")
		require.NoError(t, l.Close())
	})
}

// One that does not load again fails its requests, too, and once it loads, the
// engine goes on.
func TestHangsInLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loads, bad := 0, true
		l := startOn(t, openHanging(t, time.Minute, func(name string) bool {
			if name == "load" {
				loads++
			}
			return bad && (name == "finish" || name == "load" && loads > 1)
		}))
		began := time.Now()
		reply, err := l.Submit(t.Context(), ask(2, 10, 5))
		require.NoError(t, err)
		_, err = reply.All(t.Context())
		require.ErrorIs(t, err, engine.ErrDevice)
		require.EqualError(t, err, "engine: the device failed 3 times in a row: device: lost: the device did not get ready within 10m0s")
		require.Equal(t, 21*time.Minute+time.Second/4, time.Since(began))
		bad = false
		whole(t, l, ask(2, 10, 5))
		require.NoError(t, l.Close())
	})
}

// A drain does not wait for a device that hangs: once the grace is over it is
// killed, and stays so.
func TestDrainHung(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hung := make(chan struct{})
		l := startOn(t, openHanging(t, 0, func(name string) bool {
			if name == "verify" {
				close(hung)
			}
			return name == "verify"
		}))
		reply, err := l.Submit(t.Context(), ask(2, 10, 50))
		require.NoError(t, err)
		<-hung
		began := time.Now()
		grace, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		require.ErrorIs(t, l.Drain(grace), context.DeadlineExceeded)
		require.Equal(t, 12*time.Second, time.Since(began))
		_, err = reply.All(t.Context())
		require.ErrorIs(t, err, engine.ErrDraining)
		require.Zero(t, l.Stats().Restarts)
	})
}
