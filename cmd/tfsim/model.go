package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/remote"
)

// modelFlags say which model to load, and how.
type modelFlags struct {
	model, drafter, llamaLib string
	exact                    string
	threads, gpuLayers       int
	answer                   time.Duration // as llamacpp.Options has it
	warmUp                   bool
}

func (f *modelFlags) add(flags *pflag.FlagSet, what string) {
	flags.StringVar(&f.model, "model", "", what+" this GGUF `FILE`")
	flags.StringVar(&f.drafter, "drafter", llamacpp.DrafterLookup, "draft with this GGUF `FILE`, or lookup, or none")
	flags.StringVar(&f.llamaLib, "llama-lib", "", "the `folder` of llama.cpp's libraries")
	flags.StringVar(&f.exact, "exact", "auto", "form batches by the rule of exact replies: auto, on, off or whole")
	flags.IntVar(&f.threads, "threads", 1, "CPU threads of the model; more than there are free cores is very slow")
	flags.IntVar(&f.gpuLayers, "gpu-layers", -1, "layers of the model on a GPU; -1: all")
	flags.DurationVar(&f.answer, "device-timeout", 2*time.Minute, "take a device for hung that answers nothing for so long, or loads for longer than that (at least 1m), 50s for each GB and 1m to warm up; 0: never")
}

// addWarmUp is for commands that work with the model for long.
func (f *modelFlags) addWarmUp(flags *pflag.FlagSet) {
	flags.BoolVar(&f.warmUp, "warm-up", true, "on a GPU, run each kind of work once when the model is loaded, which compiles it: some seconds, in which no request waits for that")
}

// leastAnswer is well over what a device takes to say that a prompt goes on.
const leastAnswer = time.Second

// check refuses a bound that is none.
func (f *modelFlags) check() error {
	if f.answer != 0 && f.answer < leastAnswer {
		return fmt.Errorf("--device-timeout %v: want at least %v, or 0 for never", f.answer, leastAnswer)
	}
	return nil
}

// endWith ends a device with a context, whatever it is at.
func endWith(ctx context.Context, d device.Killer) (stop func() bool) {
	return context.AfterFunc(ctx, d.Kill)
}

// open loads the model for so many lanes and tokens of context.
func (f *modelFlags) open(ctx context.Context, m mac, lanes, context int) (*llamacpp.Device, error) {
	o := llamacpp.Options{Settings: llamacpp.Defaults()}
	o.Model, o.Drafter, o.Library, o.Exact = f.model, f.drafter, f.llamaLib, f.exact
	o.Slots, o.Context, o.Threads, o.GPULayers = lanes, context, f.threads, f.gpuLayers
	o.Answer, o.WarmUp = f.answer, f.warmUp
	o.LaunchRows = max(o.LaunchRows, lanes)
	if err := m.admit(o.Settings); err != nil {
		return nil, err
	}
	d, err := llamacpp.Open(ctx, o)
	if errors.Is(err, remote.ErrNotReady) {
		err = fmt.Errorf("%w: a longer --device-timeout allows more", err)
	}
	return d, err
}
