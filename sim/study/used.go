package study

import (
	"fmt"
	"slices"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/scenario"
)

// Where a setting of an arm comes from.
const (
	OriginFile    = "file"
	OriginArm     = "arm"
	OriginCommand = "--set"
)

// ArmValues are the settings that an arm runs with, each with its origin.
type ArmValues struct {
	Arm    string
	Values settings.Values
}

// Used gives the settings of each arm that the options leave in.
func Used(f *scenario.File, o Options) ([]ArmValues, error) {
	var out []ArmValues
	for i := range f.Arms {
		a := &f.Arms[i]
		if len(o.Arms) > 0 && !slices.Contains(o.Arms, a.Name) {
			continue
		}
		v, err := layer(f, a, o.Set)
		if err != nil {
			return nil, err
		}
		out = append(out, ArmValues{a.Name, v})
	}
	return out, nil
}

// Table opens the machine that the file is played on.
func Table(f *scenario.File, o Options) (*costmodel.Table, error) { return open(f, o.Machine) }

// layer lays settings over each other: the file's, the arm's, and those that
// win over all.
func layer(f *scenario.File, a *scenario.Arm, over []Assignment) (settings.Values, error) {
	var v settings.Values
	for _, l := range []struct {
		origin string
		list   []scenario.Setting
	}{{OriginFile, f.Settings}, {OriginArm, a.Env}, {OriginArm, a.Flags}} {
		for _, s := range l.list {
			if err := v.SetFrom(s.Name, s.Value.Text, l.origin); err != nil {
				at := s.Value.Pos
				if _, known := settings.Lookup(s.Name); !known || at.Line == 0 {
					at = s.Pos
				}
				return v, fmt.Errorf("%s: %w", f.At(at.Line, at.Col), err)
			}
		}
	}
	for _, s := range over {
		if err := v.SetFrom(s.Name, s.Text, OriginCommand); err != nil {
			return v, fmt.Errorf("--set: %w", err)
		}
	}
	return v, nil
}
