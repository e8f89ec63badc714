package settings

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
	"github.com/tfsim/tfsim/core"
)

// TestTranscripts runs testdata: `config`, with NAME=text lines, prints the
// fields that differ from the base and the notes. Arguments change the base.
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			base := core.DefaultConfig()
			for _, a := range d.CmdArgs {
				switch a.Key {
				case "no-drafter":
					base.Drafts = false
				case "lanes":
					d.ScanArgs(t, a.Key, &base.Lanes)
				case "launch-rows":
					d.ScanArgs(t, a.Key, &base.LaunchRows)
				case "steps":
					base.Steps = true
				default:
					d.Fatalf(t, "unknown argument %s", a.Key)
				}
			}
			return transcript(base, d.Input)
		})
	})
}

func transcript(base core.Config, input string) string {
	var b strings.Builder
	var v Values
	for line := range strings.Lines(input) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), "=")
		if err := v.Set(name, text); err != nil {
			fmt.Fprintln(&b, "error:", err)
		}
	}
	c, notes, err := v.Config(base)
	if err != nil {
		fmt.Fprintln(&b, "error:", err)
		return b.String()
	}
	was, is := reflect.ValueOf(base), reflect.ValueOf(c)
	for i := range was.NumField() {
		if !was.Field(i).Equal(is.Field(i)) {
			fmt.Fprintf(&b, "%s: %v\n", was.Type().Field(i).Name, is.Field(i))
		}
	}
	for _, n := range notes {
		fmt.Fprintln(&b, "note:", n)
	}
	if b.Len() == 0 {
		return "as the base\n"
	}
	return b.String()
}

func TestBaseMustSayTheMachine(t *testing.T) {
	var v Values
	base := core.DefaultConfig()
	base.Lanes = 0
	require.NoError(t, v.Set("parallel", "auto"))
	_, _, err := v.Config(base)
	require.EqualError(t, err, "--parallel: no number of lanes; set one, or use a machine that says it")
	require.NoError(t, v.Set("parallel", "2"))
	_, _, err = v.Config(base)
	require.NoError(t, err)
	base.LaunchRows = 0
	_, _, err = v.Config(base)
	require.EqualError(t, err, "TF_DSV41_ROWS_CAP: no rows for a launch; set them, or use a machine that says them")
}
