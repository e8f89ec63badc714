package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilInterrupt gives a context that ends with the first Ctrl-C. The second
// ends the program, in case the first takes long.
func untilInterrupt(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
