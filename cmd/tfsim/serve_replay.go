package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/engine"
)

const replayLong = `Feed a record of 'tfsim serve --record FILE' to the scheduler again: the same
arrivals, cancels and measured times. It must decide as it did, one for one.

Exit status: 0; 1 a decision is another one; 2 the record cannot be read.`

// belief says in a record what prices its scheduler chose by.
type belief struct {
	// Machine is a table's name or file, empty for none.
	Machine string `json:"machine,omitempty"`
	Kind    string `json:"belief"`
	Version string `json:"version"`
}

// prices makes the belief again.
func (b belief) prices() (core.Prices, error) {
	t := &costmodel.Table{}
	if b.Machine != "" {
		var err error
		if t, err = costmodel.Open(b.Machine); err != nil {
			return nil, err
		}
	}
	return t.Belief(b.Kind)
}

func newReplayCmd(*options) *cobra.Command {
	return &cobra.Command{
		Use:     "replay FILE",
		Short:   "Check that a recorded server decides again as it did",
		Long:    replayLong,
		Example: "  tfsim replay run.record",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("give one record: tfsim replay FILE"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return usage(err)
			}
			defer func() { _ = f.Close() }()
			var b belief
			x, err := engine.Replay(f, func(note json.RawMessage) (core.Prices, error) {
				if err := json.Unmarshal(note, &b); err != nil {
					return nil, err
				}
				return b.prices()
			}, nil)
			if err != nil {
				return usage(fmt.Errorf("%s: %w", args[0], err))
			}
			if x.Difference != "" {
				return failed(fmt.Errorf("%s: after %d decisions alike: %s", args[0], x.Same, x.Difference))
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d decisions, all as recorded\n", args[0], x.Same)
			return err
		},
	}
}
