package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/llamacpp/libs"
)

// apiKeyVariables hold a key each.
var apiKeyVariables = []string{"TFSIM_API_KEY", "TENSORFOLD_API_KEY"}

// settingFlag is a setting of the registry as a flag.
type settingFlag struct {
	name, text string
	kind       settings.Kind
	given      bool
}

func (s *settingFlag) String() string   { return s.text }
func (s *settingFlag) Type() string     { return s.kind.String() }
func (s *settingFlag) IsBoolFlag() bool { return s.kind == settings.Bool }

func (s *settingFlag) Set(text string) error {
	var v settings.Values
	if err := v.Set(s.name, text); err != nil {
		return err
	}
	s.text, s.given = text, true
	return nil
}

// addSettings declares a flag for each setting that has one.
func addSettings(flags *pflag.FlagSet) []*settingFlag {
	var all []*settingFlag
	for _, s := range settings.All() {
		if s.Flag == "" || s.Scope == settings.Accepted {
			continue
		}
		v := &settingFlag{name: s.Name, kind: s.Kind}
		f := flags.VarPF(v, s.Flag, "", strings.TrimSuffix(s.Doc, "."))
		if s.Kind == settings.Bool {
			f.NoOptDefVal = "1"
		}
		all = append(all, v)
	}
	return all
}

// fromEnvironment reads the settings among a process's variables. Names that
// only look like a setting's are errors where the prefix is the project's or
// the modelled system's.
func fromEnvironment(environ []string) (settings.Values, error) {
	var v settings.Values
	environ = slices.Sorted(slices.Values(environ))
	for _, entry := range environ {
		name, text, _ := strings.Cut(entry, "=")
		if !isSetting(name) {
			continue
		}
		if err := v.SetFrom(name, text, "environment"); err != nil {
			return v, err
		}
	}
	return v, nil
}

// isSetting says whether a variable is meant for the scheduler. Other programs
// have variables that begin with TF_; those are left alone.
func isSetting(name string) bool {
	if strings.HasPrefix(name, envPrefix) || name == llamacpp.ProgramEnv || name == libs.Env || slices.Contains(apiKeyVariables, name) {
		return false
	}
	for _, prefix := range []string{"TFSIM_", "TENSORFOLD_", "TF_DSV41_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	_, known := settings.Lookup(name)
	return known && strings.HasPrefix(name, "TF_")
}

// setAll lays NAME=VALUE texts over values.
func setAll(v *settings.Values, texts []string) error {
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return fmt.Errorf("--set %q: want NAME=VALUE", text)
		}
		if err := v.SetFrom(name, value, "--set"); err != nil {
			return err
		}
	}
	return nil
}
