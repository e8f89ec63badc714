package main

import (
	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/memory"
)

// admit refuses what cannot fit a device's memory: the library would fail in
// the middle of loading, or later.
func admit(s llamacpp.Settings, backend string, dev llama.GGMLBackendDevice) error {
	load, err := s.Load()
	if err != nil {
		return nil // whoever opens the files says so better
	}
	if backend == "cpu" || s.GPULayers > 0 {
		load.Weights = 0 // mapped from the file, or only in part on the GPU
	}
	free, total := llama.GGMLBackendDeviceMemory(dev)
	if free == 0 {
		return nil // it does not say
	}
	return memory.Room{Of: llama.GGMLBackendDeviceName(dev), Limit: int64(total), Used: int64(total - min(free, total))}.Admit(load)
}
