package main

import (
	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/costmodel"
)

const machineExample = `  tfsim machine list
  tfsim machine show m5-ultra-512gb
  tfsim machine show --json h200-llamacpp-vulkan`

func newMachineCmd(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "machine",
		Short:   "List, show and fit cost tables of machines",
		Example: machineExample,
	}
	cmd.AddCommand(newMachineListCmd(), newMachineShowCmd(o), newMachineFitCmd(o))
	return cmd
}

func newMachineListCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the machines of the library",
		Example: "  tfsim machine list",
		RunE:    func(cmd *cobra.Command, _ []string) error { return costmodel.WriteList(cmd.OutOrStdout()) },
	}
}

func newMachineShowCmd(o *options) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:       "show NAME|FILE",
		Short:     "Show a machine's costs, where they come from, and their curve",
		Example:   "  tfsim machine show m5-ultra-512gb",
		Args:      cobra.ExactArgs(1),
		ValidArgs: costmodel.Library(),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := costmodel.Open(args[0])
			if err != nil {
				return usage(err)
			}
			out := cmd.OutOrStdout()
			if json {
				return t.WriteJSON(out)
			}
			return t.WriteText(out, o.columns(out))
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "print the table as JSON")
	return cmd
}
