package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"github.com/tfsim/tfsim/tune"
	"github.com/tfsim/tfsim/tune/remote"
)

// mostWorkers bounds what one command starts.
const mostWorkers = 1024

// workerFlags say where runs are played, if not in this process.
type workerFlags struct {
	workers      int
	nats, listen string
}

// away says that runs are played elsewhere.
func (f *workerFlags) away() bool { return f.workers > 0 || f.nats != "" || f.listen != "" }

func (f *workerFlags) check(flags *pflag.FlagSet) error {
	loopback, err := remote.Loopback(f.listen)
	switch {
	case f.nats == "" && flags.Changed("nats"):
		return errors.New("--nats is blank; want the URL of a NATS server, such as nats://192.168.1.20:4222")
	case f.listen == "" && flags.Changed("listen"):
		return errors.New("--listen is blank; want HOST:PORT, such as 127.0.0.1:4222")
	case f.workers < 0 || f.workers > mostWorkers:
		return fmt.Errorf("--workers %d: want 0 to %d", f.workers, mostWorkers)
	case f.nats != "" && f.listen != "":
		return errors.New("--nats names a server and --listen starts one; want one of them")
	case f.listen != "" && err != nil:
		return fmt.Errorf("--listen %w", err)
	case f.listen != "" && !loopback && os.Getenv("NATS_TOKEN") == "":
		return fmt.Errorf("--listen %s: other machines can reach it; set NATS_TOKEN to a secret, here and for the workers", f.listen)
	}
	return nil
}

// closers are what a command has to end, the last first.
type closers []func()

func (c *closers) add(f func()) { *c = append(*c, f) }

func (c *closers) close() {
	for _, f := range slices.Backward(*c) {
		f()
	}
}

// start makes a runner whose units workers play, and starts those that are
// asked for. A server of this process is known to others only by its token.
func (f *workerFlags) start(ctx context.Context, b *tune.Bundle, bar *progress, opened *closers) (tune.Runner, error) {
	ctx, cancel := context.WithCancel(ctx)
	opened.add(cancel)
	to := access(f.nats)
	if f.nats == "" {
		token := os.Getenv("NATS_TOKEN")
		if token == "" {
			token = rand.Text()
		}
		listen := f.listen
		if listen == "" {
			listen = "127.0.0.1:0"
		}
		server, err := remote.StartServer(listen, token)
		if err != nil {
			return nil, fmt.Errorf("the NATS server of this search: %w", err)
		}
		opened.add(server.Close)
		to = server.Access
	}
	c, err := remote.NewCoordinator(remote.Options{Access: to, Program: program(), Say: bar.say}, b)
	if err != nil {
		return nil, err
	}
	opened.add(c.Close)
	if f.nats != "" || f.listen != "" {
		bar.say("workers join with: tfsim worker --nats " + to.Place())
	}
	var left atomic.Int32
	left.Store(int32(f.workers))
	for range f.workers {
		wait, err := f.worker(ctx, to, bar)
		if err != nil {
			return nil, err
		}
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			err := wait()
			if ctx.Err() != nil {
				return
			}
			bar.say(fmt.Sprintf("a worker ended: %v", err))
			if left.Add(-1) == 0 && f.nats == "" && f.listen == "" {
				c.Fail(errors.New("no worker is left"))
			}
		}()
		opened.add(func() { cancel(); <-gone })
	}
	return c, nil
}

// worker starts this program as a worker, and gives what waits for its end and
// says why it came.
func (f *workerFlags) worker(ctx context.Context, to remote.Access, bar *progress) (wait func() error, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	jobs := max(1, runtime.GOMAXPROCS(0)/f.workers)
	cmd := exec.CommandContext(ctx, self, "worker", "--quiet", "--jobs", strconv.Itoa(jobs), "--idle", idleWorkers.String())
	// The environment, unlike arguments, is not for other users to see.
	cmd.Env = append(os.Environ(), "NATS_URL="+to.URL, "NATS_TOKEN="+to.Token)
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() error {
		err := cmd.Wait()
		switch {
		case err == nil:
			return fmt.Errorf("it found no search for %s", idleWorkers)
		case said.Len() > 0:
			return fmt.Errorf("%w: %s", err, bytes.TrimPrefix(said.Bytes(), []byte("tfsim: ")))
		}
		return err
	}, nil
}
