package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// envPrefix starts the environment variables of the tool's own options. They
// are no settings of a scheduler and never reach a scenario.
const envPrefix = "TFSIM_TOOL_"

// options are the tool's own options: how it prints, never what it computes.
type options struct {
	// Color and Progress are auto, always or never.
	Color    string
	Progress string
	// Width is the number of columns to print in, or 0 for the terminal's.
	Width int

	config string
	values map[string]*optionValue
}

// toolOption describes one option of the tool for every place that it is read
// from: the flag --key, the variable TFSIM_TOOL_KEY and the file's key.
type toolOption struct {
	key      string
	form     string // what stands for the value in help
	def      string
	accepted string
	words    []string // the accepted words, or none for a number
	doc      string
}

var when = []string{"auto", "always", "never"}

var toolOptions = []toolOption{
	{key: "color", form: "when", def: "auto", accepted: "auto, always or never", words: when,
		doc: "color the output: auto, always or never"},
	{key: "progress", form: "when", def: "auto", accepted: "auto, always or never", words: when,
		doc: "show progress on standard error: auto, always or never"},
	{key: "width", form: "columns", def: "0", accepted: "0 (the terminal's) or a whole number from 40 to 1000",
		doc: "print in 40 to 1000 columns; 0: as many as the terminal has"},
}

func (t toolOption) env() string { return envPrefix + strings.ToUpper(t.key) }

// check says whether text is an accepted value.
func (t toolOption) check(text string) error {
	ok := slices.Contains(t.words, text)
	if t.words == nil {
		n, err := strconv.Atoi(text)
		ok = err == nil && (n == 0 || n >= 40 && n <= 1000)
	}
	if !ok {
		return fmt.Errorf("%q is not accepted; give %s", text, t.accepted)
	}
	return nil
}

// optionValue is the value of an option's flag. A blank text reads as unset.
type optionValue struct {
	option toolOption
	text   string
	set    bool
}

func (v *optionValue) String() string { return v.text }
func (v *optionValue) Type() string   { return v.option.form }

func (v *optionValue) Set(text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		v.text, v.set = v.option.def, false
		return nil
	}
	if err := v.option.check(text); err != nil {
		return fmt.Errorf("give %s", v.option.accepted) // the caller quotes the text
	}
	v.text, v.set = text, true
	return nil
}

// HasChanged, Name, ValueString and ValueType make it a viper.FlagValue.
func (v *optionValue) HasChanged() bool    { return v.set }
func (v *optionValue) Name() string        { return v.option.key }
func (v *optionValue) ValueString() string { return v.text }
func (v *optionValue) ValueType() string   { return "string" }

var (
	_ pflag.Value     = (*optionValue)(nil)
	_ viper.FlagValue = (*optionValue)(nil)
)

// register declares the tool's flags on root, for every command.
func (o *options) register(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVar(&o.config, "config", "",
		"read the tool's own options from `file`")
	o.values = make(map[string]*optionValue, len(toolOptions))
	for _, t := range toolOptions {
		o.values[t.key] = &optionValue{option: t, text: t.def}
		flags.Var(o.values[t.key], t.key, t.doc)
		if t.words != nil {
			// It fails only for a flag that does not exist.
			_ = root.RegisterFlagCompletionFunc(t.key, cobra.FixedCompletions(t.words, cobra.ShellCompDirectiveNoFileComp))
		}
	}
}

// load settles the options: a flag wins over the environment, which wins over
// the file, which wins over the default. A text that is not accepted stops the
// start wherever it stands, even where another wins over it.
func (o *options) load(cmd *cobra.Command, _ []string) error {
	if !wantsOptions(cmd) {
		return nil
	}
	v := viper.New()
	for _, t := range toolOptions {
		v.SetDefault(t.key, t.def)
		if err := v.BindFlagValue(t.key, o.values[t.key]); err != nil {
			return fault(err)
		}
		if text := strings.TrimSpace(os.Getenv(t.env())); text != "" {
			if err := t.check(text); err != nil {
				return usage(fmt.Errorf("%s: %w", t.env(), err))
			}
			if err := v.BindEnv(t.key, t.env()); err != nil {
				return fault(err)
			}
		}
	}
	if err := checkEnvironment(os.Environ()); err != nil {
		return usage(err)
	}
	values, err := readConfig(o.configPath())
	if err != nil {
		return usage(err)
	}
	if err := v.MergeConfigMap(values); err != nil {
		return fault(err)
	}
	text := func(key string) string { return strings.TrimSpace(v.GetString(key)) }
	o.Color, o.Progress = text("color"), text("progress")
	o.Width, err = strconv.Atoi(text("width"))
	if err != nil {
		return fault(err)
	}
	return nil
}

// wantsOptions leaves out the commands that must work when the options do not.
func wantsOptions(cmd *cobra.Command) bool {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	switch cmd.Name() {
	case "help", "version", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
		return false
	}
	return true
}

// checkEnvironment refuses a variable of the tool that names no option.
func checkEnvironment(environ []string) error {
	known := []string{envPrefix + "CONFIG"}
	for _, t := range toolOptions {
		known = append(known, t.env())
	}
	slices.Sort(environ)
	for _, entry := range environ {
		name, text, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, envPrefix) || strings.TrimSpace(text) == "" || slices.Contains(known, name) {
			continue
		}
		return fmt.Errorf("%s: no such option of the tool%s; there are %s",
			name, didYouMean(closest(name, known)), strings.Join(known, ", "))
	}
	return nil
}

// configPath names the file to read and says whether it was asked for; one
// that was not need not exist.
func (o *options) configPath() (path string, asked bool) {
	for _, path := range []string{o.config, os.Getenv(envPrefix + "CONFIG")} {
		if strings.TrimSpace(path) != "" {
			return path, true
		}
	}
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // a relative one is to be ignored, says its specification
		home, err := os.UserHomeDir()
		if err != nil {
			return "", false
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "tfsim", "config.yaml"), false
}

// readConfig reads and checks the file's options; blank ones are left out.
func readConfig(path string, asked bool) (map[string]any, error) {
	if path == "" {
		return nil, nil
	}
	v := viper.New()
	v.SetConfigFile(path)
	v.SetConfigType("yaml")
	if err := v.ReadInConfig(); err != nil {
		if !asked && errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		var parse viper.ConfigParseError
		if errors.As(err, &parse) {
			return nil, fmt.Errorf("%s: %w", path, parse.Unwrap())
		}
		return nil, fmt.Errorf("config file: %w", err)
	}
	var known []string
	for _, t := range toolOptions {
		known = append(known, t.key)
	}
	values := map[string]any{}
	keys := v.AllKeys()
	slices.Sort(keys)
	for _, key := range keys {
		i := slices.Index(known, key)
		if top, _, nested := strings.Cut(key, "."); nested && slices.Contains(known, top) {
			return nil, fmt.Errorf("%s: %s: a mapping is not accepted; give %s",
				path, top, toolOptions[slices.Index(known, top)].accepted)
		}
		if i < 0 {
			return nil, fmt.Errorf("%s: %s: no such key%s; there are %s",
				path, key, didYouMean(closest(key, known)), strings.Join(known, ", "))
		}
		value := v.Get(key)
		if value == nil || strings.TrimSpace(fmt.Sprint(value)) == "" {
			continue
		}
		text := strings.TrimSpace(fmt.Sprint(value))
		if err := toolOptions[i].check(text); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, key, err)
		}
		values[key] = text
	}
	return values, nil
}

// colored says whether to print colors on w.
func (o *options) colored(w io.Writer) bool {
	switch o.Color {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

// showProgress says whether to show progress on w, standard error.
func (o *options) showProgress(w io.Writer) bool {
	switch o.Progress {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("TERM") != "dumb" && isTerminal(w)
}

// columns is the width to print in on w.
func (o *options) columns(w io.Writer) int {
	if o.Width > 0 {
		return o.Width
	}
	if f := terminal(w); f != nil {
		if width, _, err := term.GetSize(f.Fd()); err == nil && width > 0 {
			return max(width, 40)
		}
	}
	return 100
}

func isTerminal(w io.Writer) bool { return terminal(w) != nil }

// terminal returns the terminal that w writes to, or nil.
func terminal(w io.Writer) *os.File {
	for {
		switch u := w.(type) {
		case *os.File:
			if term.IsTerminal(u.Fd()) {
				return u
			}
			return nil
		case interface{ Unwrap() io.Writer }:
			w = u.Unwrap()
		default:
			return nil
		}
	}
}
