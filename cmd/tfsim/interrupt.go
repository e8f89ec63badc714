package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/tfsim/tfsim/device/llamacpp"
)

// untilInterrupt gives a context that ends with the first Ctrl-C. The second
// ends the program, in case the first takes long, and with it the processes of
// its devices, which may be stopped.
func untilInterrupt(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	over := make(chan struct{})
	go func() {
		for {
			select {
			case <-over:
				return
			case <-signals:
			}
			if ctx.Err() != nil {
				llamacpp.KillAll()
				os.Exit(exitInterrupted)
			}
			cancel()
		}
	}()
	return ctx, sync.OnceFunc(func() {
		signal.Stop(signals)
		close(over)
		cancel()
	})
}

// orInterrupted says why a command failed: after a signal, it is the signal and what
// came of it, whatever the device made of it.
func orInterrupted(ctx context.Context, err error, came string) error {
	if ctx.Err() != nil {
		return interrupted(errors.New("interrupted: " + came))
	}
	return usage(err)
}

const stillLoading = "the model was still loading"
