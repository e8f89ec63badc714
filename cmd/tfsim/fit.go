package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/costmodel"
	draw "github.com/tfsim/tfsim/report"
	"github.com/tfsim/tfsim/sim/validate"
)

const fitExample = `  tfsim machine fit --machine m3-ultra-512gb --iterations 3
  tfsim machine fit --machine m5-ultra-512gb --out fitted.yaml sim/validate/receipts/concurrent-m5-ultra.yaml`

func newMachineFitCmd(o *options) *cobra.Command {
	var machine, out string
	var iterations int
	cmd := &cobra.Command{
		Use:   "fit [RECEIPTS...]",
		Short: "Fit a machine's table to published figures",
		Long: `Fit what rounds, passes and drafts cost to the decode figures of receipts, by
least squares over simulated benches, starting from the machine's table. Prints
the figures, which of them the receipts do not determine, and the residuals.
Without files it takes the receipts that the project ships.`,
		Example: fitExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, files []string) error {
			if iterations < 1 || iterations > 1000 {
				return usage(fmt.Errorf("--iterations %d: want 1 to 1000", iterations))
			}
			from, err := receipts(files)
			if err != nil {
				return usage(err)
			}
			table, err := costmodel.Open(machine)
			if err != nil {
				return usage(err)
			}
			problem, err := validate.NewProblem(table, from)
			if err != nil {
				return usage(err)
			}
			var file *draw.File
			if out != "" {
				if file, err = draw.Create(out); err != nil {
					return usage(fmt.Errorf("--out: %w", err))
				}
				defer file.Discard()
			}
			bar := newProgress(o, cmd.ErrOrStderr(), "fitting "+table.Machine)
			err = problem.Fit(iterations, func(i int, _ float64) { bar.step(i, iterations) })
			bar.clear()
			if err != nil {
				return fault(err)
			}
			return printFit(cmd, problem, file)
		},
	}
	cmd.Flags().StringVar(&machine, "machine", "m5-ultra-512gb", "start from this machine's table: a `name` of the library or a file")
	cmd.Flags().StringVar(&out, "out", "", "write the fitted table to `FILE`")
	cmd.Flags().IntVar(&iterations, "iterations", 12, "steps of the search")
	// It fails only for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc("machine", cobra.FixedCompletions(costmodel.Library(), cobra.ShellCompDirectiveDefault))
	return cmd
}

// receipts reads files, or the shipped ones if none is named.
func receipts(files []string) ([]validate.Receipt, error) {
	if len(files) == 0 {
		return validate.Shipped()
	}
	var all []validate.Receipt
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, validate.Receipt{Name: name, Data: data})
	}
	return all, nil
}

func printFit(cmd *cobra.Command, problem *validate.Problem, file *draw.File) error {
	fitted, err := problem.Result()
	if err != nil {
		return fault(err)
	}
	if file != nil {
		if err := errors.Join(problem.Table.WriteJSON(file), file.Keep()); err != nil {
			return usage(fmt.Errorf("--out: %w", err))
		}
	}
	return fitted.WriteText(cmd.OutOrStdout())
}
