package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/calibrate"
)

const calibrateLong = `Measure what a model's work costs on this machine: rounds by sequences and rows,
prompt steps by rows and position, drafter passes and what they catch up on. The
shapes take turns until the time is up.

The costs are kept by device, weights, slots and threads. 'tfsim serve' with the
same then believes in them (TF_DSV41_CALIB=default: not), and 'tfsim compare'
simulates with them. With --out they are written to a file as well, for
'tfsim scenario --machine FILE'.`

// calibrateFlags are the command's flags.
type calibrateFlags struct {
	modelFlags
	lanes, context int
	budget         time.Duration
	out            string
}

func newCalibrateCmd(o *options) *cobra.Command {
	var f calibrateFlags
	cmd := &cobra.Command{
		Use:   "calibrate --model FILE",
		Short: "Measure what a model's work costs on this machine",
		Long:  calibrateLong,
		Example: `  tfsim calibrate --model target.gguf --drafter draft.gguf
  tfsim calibrate --model target.gguf --parallel 8 --budget 2m --out costs.yaml`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runCalibrate(cmd, o, &f) },
	}
	flags := cmd.Flags()
	f.add(flags, "measure")
	f.addWarmUp(flags)
	flags.IntVar(&f.lanes, "parallel", modelLanes, "slots, as the server is to have")
	flags.IntVar(&f.context, "context", modelContext, "tokens of context, as the server is to have")
	flags.DurationVar(&f.budget, "budget", 30*time.Second, "how long to measure")
	flags.StringVar(&f.out, "out", "", "write the table to `FILE` as well")
	return cmd
}

func runCalibrate(cmd *cobra.Command, o *options, f *calibrateFlags) error {
	switch {
	case f.model == "":
		return usage(errors.New("nothing to measure: give --model FILE"))
	case f.budget <= 0 || f.budget > 24*time.Hour:
		return usage(fmt.Errorf("--budget %v: want over 0, at most 24h", f.budget))
	}
	if err := f.check(); err != nil {
		return usage(err)
	}
	if err := distinctFiles(cmd, nil); err != nil {
		return usage(err)
	}
	ctx, stop := untilInterrupt(cmd.Context())
	defer stop()
	// What cannot be written is to be known before anything is measured.
	if f.out != "" {
		if err := canHoldCosts(f.out); err != nil {
			return usage(fmt.Errorf("--out: %w", err))
		}
	}
	loaded := newProgress(o, cmd.ErrOrStderr(), "loading").waiting()
	d, err := f.open(ctx, thisMac(), f.lanes, f.context)
	loaded()
	if err != nil {
		return orInterrupted(ctx, err, stillLoading)
	}
	defer func() { _ = d.Close() }()
	defer endWith(ctx, d)()
	file, err := costsFile(d.Info(), f.threads)
	if err != nil {
		return usage(err)
	}
	if err := canKeepCosts(file); err != nil {
		return usage(err)
	}
	bar := newProgress(o, cmd.ErrOrStderr(), "measuring")
	table, err := calibrate.Device(ctx, d, calibrate.Options{
		Budget: f.budget, Depth: draftDepth(d.Info(), core.DefaultConfig().DraftDepth),
		Progress: func(part float64) { bar.part(part) },
	})
	bar.clear()
	if errors.Is(err, calibrate.ErrBudget) {
		err = fmt.Errorf("--budget %v is too short for every shape to be timed", f.budget)
	}
	if err != nil {
		return orInterrupted(ctx, err, "no costs were kept")
	}
	threads := "1 thread"
	if f.threads != 1 {
		threads = fmt.Sprintf("%d threads", f.threads)
	}
	table.About = fmt.Sprintf("%s, %d slots, %s", filepath.Base(f.model), f.lanes, threads)
	files := []string{file}
	if f.out != "" {
		files = append(files, f.out)
	}
	for _, name := range files {
		if err := writeCosts(name, table); err != nil {
			return usage(err)
		}
	}
	return printCosts(cmd, table, files)
}

// printCosts shows the figures that tell a machine's character.
func printCosts(cmd *cobra.Command, t *costmodel.Table, files []string) error {
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "%s\n%s\n", t.Device, t.Provenance.Windows.Method)
	most := t.Limits.Windows
	for _, n := range slices.Compact([]int{1, min(2, most), most}) {
		one, _ := t.Launch(costmodel.Load{Windows: n, Rows: n})
		more, _ := t.Launch(costmodel.Load{Windows: n, Rows: 4 * n})
		fmt.Fprintf(w, "round of %d: %s, with 3 drafts each %s\n", n, costText(one), costText(more))
	}
	rows := t.Prompt.MS[len(t.Prompt.MS)-1].At
	step, _ := t.Chunk(rows, 0, true)
	fmt.Fprintf(w, "step of %d prompt rows: %s\n", rows, costText(step))
	if t.Drafter != nil {
		block, _ := t.Pass(costmodel.Asked{Asked: core.Asked{Asks: 1, Depth: t.Drafts.Block}})
		one, _ := t.Pass(costmodel.Asked{Asked: core.Asked{Asks: 1, Depth: 1}})
		fmt.Fprintf(w, "pass of %d drafts: %s", t.Drafts.Block, costText(block))
		if one != block {
			fmt.Fprintf(w, ", of 1: %s", costText(one))
		}
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintf(w, "kept in %s\n", strings.Join(files, "\n        "))
	return err
}

func costText(n core.Nanos) string { return millisText(float64(n) / 1e6) }

// draftDepth is the most drafts of a window, up to most, that keep a device's
// promise.
func draftDepth(i *device.Info, most int) int {
	depth := min(most, i.DraftDepth)
	if i.Promise.Level == device.Exact {
		for depth > 0 && !i.Holds(1+depth) {
			depth--
		}
	}
	return depth
}
