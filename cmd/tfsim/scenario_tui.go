package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tui"
)

// addTUI gives the command the flag that plays a file on a dashboard.
func addTUI(cmd *cobra.Command, o *options, f *scenarioFlags) {
	var watch bool
	cmd.Flags().BoolVar(&watch, "tui", false, "watch one file play on a dashboard: pause, step, jump, change settings")
	for _, other := range []string{"json", "csv", "check", "schema", "events", "repeat", "html", "plot", "trace"} {
		if cmd.Flags().Lookup(other) != nil {
			cmd.MarkFlagsMutuallyExclusive("tui", other)
		}
	}
	cmd.Example += "\n  tfsim scenario --tui scenarios/long-beside-short.yaml"
	plain := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, files []string) error {
		if !watch {
			return plain(cmd, files)
		}
		return watchScenario(cmd, o, f, files)
	}
}

func watchScenario(cmd *cobra.Command, o *options, f *scenarioFlags, files []string) error {
	if len(files) != 1 {
		return usage(fmt.Errorf("--tui plays one scenario file; got %d", len(files)))
	}
	opts, err := f.options(cmd)
	if err != nil {
		return usage(err)
	}
	file, err := scenario.Load(files[0])
	if err != nil {
		return usage(err)
	}
	return watched(tui.Simulate(cmd.Context(), file, opts, o.dashboard(cmd.OutOrStdout())))
}

// dashboard is the terminal for a dashboard.
func (o *options) dashboard(out io.Writer) tui.Terminal {
	return tui.Terminal{In: os.Stdin, Out: terminal(out), Color: o.colored(out)}
}

// watched marks a panic, of the dashboard or of what it plays, as a fault.
func watched(err error) error {
	var p *study.Panic
	if errors.Is(err, tui.ErrPanic) || errors.As(err, &p) {
		return fault(err)
	}
	return err
}
