package main

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/memory"
	"github.com/tfsim/tfsim/device/metal"
	"github.com/tfsim/tfsim/server"
)

// mac is what a server asks of the machine it runs on. Its errors are
// metal.ErrNoMac anywhere but on an Apple machine.
type mac struct {
	room    func() (memory.Room, error)
	thermal func() (metal.Thermal, error)
}

// thisMac asks the system.
func thisMac() mac {
	return mac{
		room: func() (memory.Room, error) {
			m, err := metal.Read()
			return m.Room(), err
		},
		thermal: metal.ReadThermal,
	}
}

// admit refuses a model that is beyond the GPU's working set. A file that
// cannot be read is for the device to refuse.
func (m mac) admit(s llamacpp.Settings) error {
	room, err := m.room()
	if err != nil || s.GPULayers == 0 {
		return nil
	}
	load, err := s.Load()
	if err != nil {
		return nil
	}
	if s.GPULayers > 0 {
		load.Weights = 0 // only some of them are on the GPU
	}
	return room.Admit(load)
}

// thermalPause is the time between two looks at the thermal state.
const thermalPause = 5 * time.Second

// watchThermal notes every turn of the thermal state until the context is
// over. It gives the readings of the state, none where nothing tells it.
func (m mac) watchThermal(ctx context.Context, pause time.Duration, note func(string)) []server.Reading {
	var watch metal.Watch
	var now atomic.Int32
	look := func() error {
		t, err := m.thermal()
		if err != nil {
			return err
		}
		if c, turned := watch.See(t); turned {
			note(c.String())
		}
		now.Store(int32(t))
		return nil
	}
	if err := look(); errors.Is(err, metal.ErrNoMac) {
		return nil
	}
	go func() {
		ticker := time.NewTicker(pause)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				_ = look() // the last state stands
			}
		}
	}()
	return []server.Reading{{
		Name: "tfsim:thermal_pressure", Help: "The machine's thermal state: 0 nominal, 1 fair, 2 serious, 3 critical.",
		Value: func() float64 { return float64(now.Load()) },
	}}
}
