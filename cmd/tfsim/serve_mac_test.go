package main

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/memory"
	"github.com/tfsim/tfsim/device/metal"
)

const demoPair = "../../device/llamacpp/testdata/models/"

// The GPU's working set bounds what is served, by model, drafter and cache.
func TestMacAdmits(t *testing.T) {
	s := llamacpp.Defaults()
	s.Model, s.Drafter = demoPair+"target-q8_0.gguf", demoPair+"draft-q8_0.gguf"
	m := mac{room: func() (memory.Room, error) { return memory.Room{Of: "the GPU", Limit: 150 << 20, Used: 1 << 20}, nil }}
	s.Context = 8000
	require.NoError(t, m.admit(s), "4 slots of 8000 rows of 4,608 bytes beside 8 MiB of weights")
	s.Context = 10_000
	err := m.admit(s)
	require.ErrorIs(t, err, memory.ErrRoom)
	require.ErrorContains(t, err, "4 slots with a context of 10000 need 184.0 MiB, and the GPU has room for 149.0 MiB of 150.0 MiB; 3 slots, or a context of 8009 would fit")
	s.GPULayers = 0
	require.NoError(t, m.admit(s), "the GPU is not used")
	s.GPULayers = -1
	m.room = func() (memory.Room, error) { return memory.Room{}, metal.ErrNoMac }
	require.NoError(t, m.admit(s))
}

// Every turn of the thermal state is noted, once, and the state can be read.
func TestMacThermal(t *testing.T) {
	var state atomic.Int32
	var fails atomic.Bool
	m := mac{thermal: func() (metal.Thermal, error) {
		if fails.Load() {
			return 0, errors.New("no reading")
		}
		return metal.Thermal(state.Load()), nil
	}}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	notes := make(chan string, 10)
	readings := m.watchThermal(ctx, time.Millisecond, func(s string) { notes <- s })
	require.Len(t, readings, 1)
	require.Zero(t, readings[0].Value())
	state.Store(int32(metal.Serious))
	require.Equal(t, "thermal nominal → serious", <-notes)
	require.Eventually(t, func() bool { return readings[0].Value() == 2 }, 5*time.Second, time.Millisecond)
	fails.Store(true)
	state.Store(int32(metal.Critical))
	fails.Store(false)
	require.Equal(t, "thermal serious → critical", <-notes)
	stop()
	require.Empty(t, notes)

	m.thermal = func() (metal.Thermal, error) { return 0, metal.ErrNoMac }
	require.Empty(t, m.watchThermal(context.Background(), time.Millisecond, nil))
}
