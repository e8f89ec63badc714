package main

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// A full disk is told once, however much waits to be written.
func TestEventsOnFullDisk(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("this system has no device that is always full")
	}
	d := fake.Open(fake.Options{})
	c := core.DefaultConfig()
	c.Lanes, c.LaunchRows, c.Drafts = d.Info().Slots, d.Info().Shapes.LaunchRows, false
	live, err := engine.Start(d, engine.Options{Config: c})
	require.NoError(t, err)
	watch := live.Watch(recordRoom)
	defer watch.Stop()
	reply, err := live.Submit(context.Background(), engine.Request{Prompt: []device.Token{1}, Output: 2000, IgnoreEnds: true})
	require.NoError(t, err)
	_, err = reply.All(context.Background())
	require.NoError(t, err)
	require.NoError(t, live.Close())
	file, err := newEventFile(full)
	require.NoError(t, err)
	defer file.discard()
	require.EqualError(t, writeEvents(watch, file), "--events: write /dev/full: no space left on device")
}
