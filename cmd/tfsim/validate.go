package main

import (
	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/sim/validate"
)

const validateExample = `  tfsim validate
  tfsim validate --json`

func newValidateCmd(*options) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Hold the simulator against published measurements",
		Long: `Simulate every published bench on the machine's cost table and print the
published figure, the simulated one and the error. docs/fidelity.md says how to
read it and what the model does not explain.`,
		Example: validateExample,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := validate.Run()
			if err != nil {
				return fault(err)
			}
			if json {
				return report.WriteJSON(cmd.OutOrStdout())
			}
			return report.WriteText(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "print the report as JSON")
	return cmd
}
