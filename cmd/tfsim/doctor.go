package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/exactness"
	"github.com/tfsim/tfsim/device/llamacpp/libs"
	"github.com/tfsim/tfsim/device/metal"
)

const doctorLong = `Say what this machine has to serve a model with, and what to install.

With --model it loads the model, as 'tfsim serve' does with the same flags, and
says what runs it; --exactness also measures whether a reply depends on how it
is scheduled: how many of its tokens would be others in wider windows,
beside other replies, or with its prompt in pieces.

Exit status: 0; 1 something is missing, or a promise is not kept; 2 bad usage.`

// doctorFlags are the command's flags.
type doctorFlags struct {
	modelFlags
	exactness bool
	tokens    int
}

func newDoctorCmd(*options) *cobra.Command {
	var f doctorFlags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine can serve models with, and what to install",
		Long:  doctorLong,
		Example: `  tfsim doctor
  tfsim doctor --model target.gguf --drafter draft.gguf --exactness`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd, f) },
	}
	flags := cmd.Flags()
	f.add(flags, "load")
	flags.BoolVar(&f.exactness, "exactness", false, "measure whether replies depend on their schedule")
	flags.IntVar(&f.tokens, "tokens", 200, "tokens of the reply that is measured, 1 to 10000")
	return cmd
}

// findings prints what is there, and counts what is not.
type findings struct {
	out     io.Writer
	missing int
}

func (f *findings) say(what, format string, args ...any) {
	fmt.Fprintf(f.out, "%-10s %s\n", what, fmt.Sprintf(format, args...))
}

func (f *findings) miss(what string, err error) {
	f.missing++
	f.say(what, "missing: %s", oneLine(err.Error()))
}

func runDoctor(cmd *cobra.Command, f doctorFlags) error {
	switch {
	case f.exactness && f.model == "":
		return usage(errors.New("--exactness needs --model FILE"))
	case f.tokens < 1 || f.tokens > 10_000:
		return usage(fmt.Errorf("--tokens %d: want 1 to 10000", f.tokens))
	}
	if err := f.check(); err != nil {
		return usage(err)
	}
	ctx, stop := untilInterrupt(cmd.Context())
	defer stop()
	found := &findings{out: cmd.OutOrStdout()}
	found.say("system", "%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	found.mac()
	if lib, err := libs.Find(f.llamaLib); err != nil {
		found.miss("libraries", err)
	} else {
		found.say("libraries", "%s, for llama.cpp %s", lib, libs.Release)
	}
	if f.model == "" {
		found.say("model", "none asked for: give --model FILE to load one")
	} else if err := found.model(ctx, f); err != nil {
		return err
	}
	switch found.missing {
	case 0:
		return nil
	case 1:
		return failed(errors.New("1 thing is missing"))
	}
	return failed(fmt.Errorf("%d things are missing", found.missing))
}

// mac says what an Apple machine is.
func (f *findings) mac() {
	m, err := metal.Read()
	if errors.Is(err, metal.ErrNoMac) {
		return
	}
	if err != nil {
		f.miss("metal", err)
		return
	}
	f.say("metal", "%s, the GPU may hold %.1f GiB", m.Identity(), float64(m.Room().Limit)/(1<<30))
	if t, err := metal.ReadThermal(); err == nil {
		f.say("thermal", "%s", t)
	}
}

// model loads the model and says what runs it.
func (f *findings) model(ctx context.Context, flags doctorFlags) error {
	started := time.Now()
	d, err := flags.open(ctx, thisMac(), modelLanes, min(modelContext, 256+flags.tokens))
	if err != nil {
		if ctx.Err() != nil {
			return orInterrupted(ctx, err, stillLoading)
		}
		f.miss("model", err)
		return nil
	}
	defer func() { _ = d.Close() }()
	defer endWith(ctx, d)()
	i := d.Info()
	f.say("model", "%s: %s, %d tokens in its vocabulary, loaded in %s", filepath.Base(flags.model), i.Model, i.Vocabulary,
		time.Since(started).Round(time.Millisecond))
	f.say("device", "%s (%s), %s", i.Name, i.Backend, i.Build)
	if i.Memory > 0 {
		f.say("memory", "%.1f of %.1f GiB free; a row of a slot takes %d bytes", float64(i.Free)/(1<<30), float64(i.Memory)/(1<<30), i.StateBytes)
	}
	if i.DraftDepth > 0 {
		f.say("drafter", "%s, up to %d drafts", filepath.Base(flags.drafter), i.DraftDepth)
	} else {
		f.say("drafter", "none")
	}
	f.say("promise", "%s: %s", i.Promise.Level, i.Promise.Reason)
	if !flags.exactness {
		return nil
	}
	return f.measure(ctx, d, flags.tokens)
}

// measure plays the schedules and says which tokens would be others.
func (f *findings) measure(ctx context.Context, d device.Device, tokens int) error {
	i := d.Info()
	results, err := exactness.Measure(ctx, d, exactness.Text{
		Prompt: i.Filler(150), Tokens: tokens, Sampling: device.Sampling{Temperature: 1, Seed: 7}, // a greedy one soon repeats itself
	}, exactness.Schedules(i.Slots))
	if err != nil {
		return orInterrupted(ctx, err, "not all schedules were measured")
	}
	broken := 0
	for _, r := range results {
		promised := ""
		if i.Holds(r.Schedule.Window) {
			promised = ", as promised"
			if r.Changed > 0 {
				promised, broken = ", against the promise", broken+1
			}
		}
		f.say("exactness", "%s: %d of %d tokens differ%s", r.Schedule, r.Changed, r.Tokens, promised)
	}
	if broken > 0 {
		f.missing++
	}
	return nil
}
