package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device"
)

// After a signal it is the signal that is told, not what the device made of it.
func TestOrInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	var e *exitError
	require.ErrorAs(t, orInterrupted(ctx, device.ErrLost, "no costs were kept"), &e)
	require.Equal(t, exitUsage, e.code)
	stop()
	err := orInterrupted(ctx, device.ErrLost, "no costs were kept")
	require.ErrorAs(t, err, &e)
	require.Equal(t, exitInterrupted, e.code)
	require.EqualError(t, err, "interrupted: no costs were kept")
}
