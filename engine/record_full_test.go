package engine_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

var errDisk = errors.New("the disk is full")

// fullDisk takes nothing once it is full.
type fullDisk struct{ full chan struct{} }

func (d *fullDisk) Write([]byte) (int, error) {
	<-d.full
	return 0, errDisk
}

// A record that cannot be written on is told at once, and at the end; replies
// go on.
func TestRecordFails(t *testing.T) {
	d := fake.Open(fake.Options{})
	disk := &fullDisk{make(chan struct{})}
	l, err := engine.Start(d, engine.Options{Config: config(d), Record: disk})
	require.NoError(t, err)
	w := l.Watch(64)
	defer w.Stop()
	close(disk.full)
	events, _, err := w.Next(context.Background(), nil)
	require.NoError(t, err)
	require.Len(t, events, 1)
	require.Equal(t, core.EventNote, events[0].Kind)
	require.Equal(t, "the record is cut short: the disk is full", events[0].Reason)
	whole(t, l, ask(2, 10, 50))
	require.ErrorIs(t, l.Close(), errDisk)
}
