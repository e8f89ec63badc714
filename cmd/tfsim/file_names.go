package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tfsim/tfsim/costmodel"
	"github.com/tfsim/tfsim/sim/scenario"
)

// takesFile says that a flag's value is the name of a file.
func takesFile(f *pflag.Flag) bool {
	name, _ := pflag.UnquoteUsage(f)
	return name == "FILE"
}

// fileName refuses a blank name: mostly it is a shell variable without a value.
type fileName struct{ pflag.Value }

func (f fileName) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("want the name of a file")
	}
	return f.Value.Set(text)
}

func refuseBlankFiles(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if takesFile(f) {
			f.Value = fileName{f.Value}
		}
	})
}

// filesRead are all files that decide the results: those that were given, what
// the scenarios read, and that of --machine.
func filesRead(given []string, scenarios []*scenario.File, machine string) []string {
	read := slices.Clone(given)
	for _, f := range scenarios {
		read = append(read, f.ReadPaths()...)
	}
	if machine != "" && !slices.Contains(costmodel.Library(), machine) {
		read = append(read, machine)
	}
	return read
}

// readFlags are the flags whose files are read, not written.
var readFlags = []string{"model", "drafter", "api-key-file"}

// distinctFiles refuses to write a file twice, or one of those that are read.
// Pipes and devices take what comes.
func distinctFiles(cmd *cobra.Command, read []string) (err error) {
	users := map[string]string{}
	for _, name := range readFlags {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			read = append(read, f.Value.String())
		}
	}
	for _, path := range read {
		users[place(path)] = "a file that is read"
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		path := f.Value.String()
		if err != nil || !takesFile(f) || slices.Contains(readFlags, f.Name) {
			return
		}
		if info, stat := os.Stat(path); stat == nil && !info.Mode().IsRegular() {
			return
		}
		at := place(path)
		if user, taken := users[at]; taken {
			err = fmt.Errorf("--%s: %s is %s", f.Name, path, user)
		}
		users[at] = "the file of --" + f.Name + ", too"
	})
	return err
}

// place is the one name of a file.
func place(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		path = whole
	}
	return path
}
