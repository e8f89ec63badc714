package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/recorded"
	"github.com/tfsim/tfsim/sim/result"
)

const compareLong = `Simulate what a server recorded ('tfsim serve --record FILE'), and say how far
the simulation is from what was measured: first token, done, gaps and tokens per
second of every request, with the error of each. The last line says how long
rounds, prompt steps, passes and restores took beside what they are priced at:
far from 1, the machine was not as it was when it was calibrated.

Work costs what 'tfsim calibrate' measured of the device, if the server had its
table; else what --machine says; else what it cost in the record itself.`

func newCompareCmd(*options) *cobra.Command {
	var machine string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "compare FILE",
		Short:   "Hold a simulation against what a server measured",
		Long:    compareLong,
		Example: "  tfsim compare run.jsonl",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("give one record: tfsim compare FILE"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := os.ReadFile(args[0])
			if err != nil {
				return usage(err)
			}
			r, err := readRecord(args[0], data)
			if err != nil {
				return err
			}
			table, whose, err := costsOf(args[0], r, machine)
			if err != nil {
				return usage(err)
			}
			config := r.Config
			if config.Prices, err = notePrices(r.Note); err != nil {
				return usage(err)
			}
			run, err := r.Simulate(table, config)
			if err != nil {
				return usage(fmt.Errorf("%s: %w", args[0], err))
			}
			c := r.Compare(run, table)
			if asJSON {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				return e.Encode(struct {
					Costs string   `json:"costs"`
					Notes []string `json:"notes,omitempty"`
					recorded.Comparison
				}{whose, untold(r), c})
			}
			return printComparison(cmd.OutOrStdout(), whose, untold(r), &c)
		},
	}
	cmd.Flags().StringVar(&machine, "machine", "", "take costs from a `name` of the library, a file, or the record itself: recorded")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the comparison as JSON")
	return cmd
}

// ownCosts asks for the record's own.
const ownCosts = "recorded"

// costsOf is the table to simulate a record on, and whose figures it has.
func costsOf(name string, r *recorded.Recording, machine string) (*costmodel.Table, string, error) {
	if machine == ownCosts {
		t, err := ownTable(name, r)
		return t, "the record's own", err
	}
	if machine != "" {
		t, err := costmodel.Open(machine)
		return t, "those of " + machine, err
	}
	var b belief
	if err := json.Unmarshal(r.Note, &b); err != nil {
		return nil, "", err
	}
	if b.Measured {
		t, err := b.table()
		return t, "calibrated on the device", err
	}
	t, err := ownTable(name, r)
	return t, "the record's own", err
}

func printComparison(w io.Writer, whose string, notes []string, c *recorded.Comparison) error {
	fmt.Fprintf(w, "costs: %s\n", whose)
	for _, n := range notes {
		fmt.Fprintln(w, n)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "request\tprompt\toutput\tfirst token\t\tdone\t\tgap p50\t\tgap max\t\ttok/s\t\t")
	for i := range c.Requests {
		q := &c.Requests[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t", q.ID, q.Prompt, q.Output)
		for _, p := range []struct {
			pair recorded.Pair
			form func(float64) string
		}{{q.TTFT, secondsText}, {q.Done, secondsText}, {q.GapP50, millisText}, {q.GapMax, millisText}, {q.Rate, rateText}} {
			fmt.Fprintf(t, "%s\t%s\t", figureText(p.pair.Measured, p.form), errorText(p.pair.Error))
		}
		fmt.Fprintln(t)
	}
	m := &c.Medians
	fmt.Fprintf(t, "median error\t\t\t\t%s\t\t%s\t\t%s\t\t%s\t\t%s\t\n",
		partText(m.TTFT), partText(m.Done), partText(m.GapP50), partText(m.GapMax), partText(m.Rate))
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "all: %s tok/s measured, %s simulated (%s)\n",
		figureText(c.Rate.Measured, rateText), figureText(c.Rate.Simulated, rateText), errorText(c.Rate.Error))
	if len(c.Work) == 0 {
		return err
	}
	var took []string
	for _, k := range c.Work {
		took = append(took, fmt.Sprintf("%s %s", k.Kind, figureText(k.Ratio, func(v float64) string { return fmt.Sprintf("%.2f", v) })))
	}
	_, err = fmt.Fprintf(w, "work, measured over priced: %s\n", strings.Join(took, ", "))
	return err
}

func figureText(n result.Num, form func(float64) string) string {
	if !n.Valid {
		return "–"
	}
	return form(n.Value)
}

func secondsText(v float64) string {
	if v < 1 {
		return millisText(v * 1000)
	}
	return fmt.Sprintf("%.2f s", v)
}

func millisText(v float64) string { return fmt.Sprintf("%.3g ms", v) }
func rateText(v float64) string   { return fmt.Sprintf("%.0f", v) }

func errorText(n result.Num) string {
	return figureText(n, func(v float64) string { return fmt.Sprintf("%+.1f%%", 100*v) })
}

func partText(n result.Num) string {
	return figureText(n, func(v float64) string { return fmt.Sprintf("%.1f%%", 100*v) })
}
