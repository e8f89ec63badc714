package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/sim/recorded"
	"github.com/tfsim/tfsim/sim/result"
)

const replayLong = `Feed a record of 'tfsim serve --record FILE' to the scheduler again: the same
arrivals, cancels and measured times. It must decide as it did, one for one. Of
a record that is cut short, as by a full disk, that is said of what there is.

With --set it plays the same traffic in the simulator: as it was, and as it
would have been under other settings, beside what was measured. What work costs
is told by the record itself, or by --machine. The first row is what to compare
with: it is simulated as well.

Exit status: 0; 1 a decision is another one; 2 the record cannot be read.`

// replayFlags are the command's flags.
type replayFlags struct {
	set     []string
	machine string
	json    bool
}

func newReplayCmd(o *options) *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Check that a recorded server decides again as it did, or ask what other settings would have done",
		Long:  replayLong,
		Example: `  tfsim replay run.jsonl
  tfsim replay run.jsonl --set TENSORFOLD_PREFILL_SHARE=0.5`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("give one record: tfsim replay FILE"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := os.ReadFile(args[0])
			if err != nil {
				return usage(err)
			}
			if len(f.set) == 0 {
				if f.machine != "" || f.json {
					return usage(errors.New("--machine and --json are for --set: without it the record is only checked"))
				}
				return checkRecord(cmd, args[0], data)
			}
			return f.whatIf(cmd, o, args[0], data)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.set, "set", nil, "play the traffic under `NAME=VALUE` as well (repeatable)")
	flags.StringVar(&f.machine, "machine", "", "take costs from a `name` of the library or a file, instead of the record")
	flags.BoolVar(&f.json, "json", false, "print the results as JSON")
	_ = cmd.RegisterFlagCompletionFunc("set", completeSettings)
	return cmd
}

func checkRecord(cmd *cobra.Command, name string, data []byte) error {
	x, err := engine.Replay(bytes.NewReader(data), notePrices, nil)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", name, err))
	}
	if x.Difference != "" {
		return failed(fmt.Errorf("%s: after %d decisions alike: %s (another version of tfsim may decide otherwise than the one that recorded)",
			name, x.Same, x.Difference))
	}
	short := ""
	if !x.Reach.Whole {
		short = "; " + x.Reach.Short()
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d decisions, all as recorded%s\n", name, x.Same, short)
	return err
}

// readRecord reads a record for the simulator.
func readRecord(name string, data []byte) (*recorded.Recording, error) {
	r, err := recorded.Read(data, notePrices)
	switch {
	case errors.Is(err, recorded.ErrDiffers):
		return nil, failed(fmt.Errorf("%s: %w", name, err))
	case err != nil:
		return nil, usage(fmt.Errorf("%s: %w", name, err))
	}
	return r, nil
}

// whatIf prints the traffic as it was, as it would have been, and as measured.
func (f *replayFlags) whatIf(cmd *cobra.Command, o *options, name string, data []byte) error {
	r, err := readRecord(name, data)
	if err != nil {
		return err
	}
	var v settings.Values
	if err := setAll(&v, f.set); err != nil {
		return usage(err)
	}
	var table *costmodel.Table
	if f.machine != "" {
		table, err = costmodel.Open(f.machine)
	} else {
		table, err = ownTable(name, r)
	}
	if err != nil {
		return usage(err)
	}
	old := r.Config
	if old.Prices, err = notePrices(r.Note); err != nil {
		return usage(err)
	}
	config, notes, err := v.Config(old)
	if err != nil {
		return usage(err)
	}
	if _, set := v.Get("TF_DSV41_CALIB"); set {
		if config.Prices, err = table.Belief(v.CalibKind()); err != nil {
			return usage(err)
		}
	}
	changed := noteTexts(notes)
	if same(old, config) {
		changed = append(changed, "no other than the record's own: nothing changes")
	}
	d := &result.Document{Scenario: filepath.Base(name), Machine: table.Machine}
	add := func(arm string, run result.Run, notes ...string) {
		d.Results = append(d.Results, result.Entry{Case: "recorded traffic", Arm: arm, Run: run, Notes: notes})
	}
	quiet := *table // what tells two arms apart is not to be chance
	quiet.Noise = 0
	for _, arm := range []struct {
		name   string
		config core.Config
		notes  []string
	}{{"as it was", old, untold(r)}, {strings.Join(f.set, " "), config, changed}} {
		run, err := r.Simulate(&quiet, arm.config)
		if err != nil {
			return usage(fmt.Errorf("%s: %w", name, err))
		}
		add(arm.name, run, arm.notes...)
	}
	add("measured", r.Measured)
	out := cmd.OutOrStdout()
	if f.json {
		return result.WriteJSON(out, d)
	}
	return result.WriteTable(out, []*result.Document{d}, result.TableOptions{Color: o.colored(out), Width: o.columns(out)})
}

// ownTable is the costs of the record itself.
func ownTable(name string, r *recorded.Recording) (*costmodel.Table, error) {
	t, err := r.Table()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// untold says what of a record is not simulated.
func untold(r *recorded.Recording) []string {
	var notes []string
	if !r.Reach.Whole {
		notes = append(notes, r.Reach.Short()+": what came later is left out")
	}
	if r.Changes > 0 {
		notes = append(notes, fmt.Sprintf("settings were changed %s while it ran: simulated with those at its start", times(r.Changes)))
	}
	if r.Losses > 0 {
		notes = append(notes, fmt.Sprintf("the device lost a slot, or failed in it, %s: simulated as if it had not", times(r.Losses)))
	}
	return notes
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func noteTexts(notes []settings.Note) []string {
	var texts []string
	for _, n := range notes {
		texts = append(texts, n.String())
	}
	return texts
}

// notePrices makes the belief of a record's note again.
func notePrices(note json.RawMessage) (core.Prices, error) {
	var b belief
	if json.Unmarshal(note, &b) != nil {
		return nil, errors.New("the record's note does not say what the server believed; want one of 'tfsim serve'")
	}
	return b.prices()
}

// same says that two configurations schedule alike.
func same(a, b core.Config) bool {
	a.Sink, b.Sink = nil, nil
	return reflect.DeepEqual(a, b)
}
