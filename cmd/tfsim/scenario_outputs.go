package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tfsim/tfsim/core"
	draw "github.com/tfsim/tfsim/report"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
)

// outputFlags name the files that are drawn besides the results.
type outputFlags struct{ html, plot, trace string }

func (f *outputFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.html, "html", "", "write a page with tables, timelines and charts to `FILE`")
	flags.StringVar(&f.plot, "plot", "", "draw the charts to `FILE`: .svg or .png")
	flags.StringVar(&f.trace, "trace", "", "write a trace for Perfetto to `FILE`, in JSON; runs then go one by one")
}

// outputs are the files being made.
type outputs struct {
	flags             outputFlags
	html, plot, trace *draw.File
	tracer            *draw.Trace
	format            draw.Format
	studies           []*draw.Study
	command           string
	several           bool // files
}

// open checks the names and opens the files, before anything is played; paths
// are the command's arguments, read all files that are read.
func (f outputFlags) open(cmd *cobra.Command, paths, read []string) (_ *outputs, err error) {
	o := &outputs{flags: f, several: len(paths) > 1, command: commandLine(cmd, paths)}
	if err := distinctFiles(cmd, read); err != nil {
		return nil, err
	}
	if f.plot != "" {
		if o.format, err = draw.FormatOf(f.plot); err != nil {
			return nil, fmt.Errorf("--plot: %w", err)
		}
	}
	defer func() {
		if err != nil {
			o.discard()
		}
	}()
	for _, out := range []struct {
		flag, path string
		file       **draw.File
	}{{"--html", f.html, &o.html}, {"--plot", f.plot, &o.plot}, {"--trace", f.trace, &o.trace}} {
		if out.path == "" {
			continue
		}
		if *out.file, err = draw.Create(out.path); err != nil {
			return nil, fmt.Errorf("%s: %w", out.flag, err)
		}
	}
	if o.trace != nil {
		o.tracer = draw.NewTrace(o.trace)
	}
	return o, nil
}

func (o *outputs) discard() {
	for _, f := range []*draw.File{o.html, o.plot, o.trace} {
		f.Discard()
	}
}

// watch makes a study's runs known to what draws them. Of several seeds the
// first is drawn.
func (o *outputs) watch(file *scenario.File, opts *study.Options) error {
	if o.html == nil && o.plot == nil && o.trace == nil {
		return nil
	}
	s, err := draw.NewStudy(file, *opts)
	if err != nil {
		return err
	}
	o.studies = append(o.studies, s)
	if o.trace != nil {
		opts.Workers = 1
	}
	opts.Watch = func(w study.Watched) core.Sink {
		if w.Repeat > 0 {
			return nil
		}
		var out tee
		if o.html != nil || o.plot != nil {
			out = append(out, s.Watch(w))
		}
		if o.tracer != nil {
			title := draw.Place{World: w.World, Case: w.Case, Arm: w.Arm}.String()
			if o.several {
				title = file.Name + " / " + title
			}
			out = append(out, o.tracer.Open(title, w.Name))
		}
		return out
	}
	return nil
}

// tee hands events on in order.
type tee []core.Sink

func (t tee) Record(e *core.Event) {
	for _, s := range t {
		s.Record(e)
	}
}

// played takes a study's results.
func (o *outputs) played(doc *result.Document) {
	if n := len(o.studies); n > 0 {
		o.studies[n-1].Played(doc)
	}
}

// keep writes what is drawn at the end; then all files get their names.
func (o *outputs) keep() error {
	page := draw.Page{Command: o.command, Version: version(), Studies: o.studies}
	for _, out := range []struct {
		flag  string
		file  *draw.File
		write func(io.Writer) error
	}{
		{"--html", o.html, func(w io.Writer) error { return draw.WritePage(w, page) }},
		{"--plot", o.plot, func(w io.Writer) error { return draw.WritePlot(w, o.format, o.studies) }},
		{"--trace", o.trace, func(io.Writer) error { return o.tracer.Close() }},
	} {
		if out.file == nil {
			continue
		}
		if err := out.write(out.file); err != nil {
			return fmt.Errorf("%s: %w", out.flag, err)
		}
		if err := out.file.Keep(); err != nil {
			return fmt.Errorf("%s: %w", out.flag, err)
		}
	}
	return nil
}

// commandLine is what makes the same results again: the flags that decide
// them, and the files.
func commandLine(cmd *cobra.Command, paths []string) string {
	words := []string{cmd.CommandPath()}
	for _, name := range []string{
		"set", "arm", "case", "machine", "noise", "seed", "repeat",
		"with", "format", "speed", "from", "to", "sample", "limit", "rate", "bytes-per-token", "load",
	} {
		f := cmd.Flags().Lookup(name)
		if f == nil || !f.Changed {
			continue
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			words = append(words, "--"+name, shellQuote(v))
		}
	}
	for _, p := range paths {
		words = append(words, shellQuote(p))
	}
	return strings.Join(words, " ")
}

// shellQuote makes a word safe to paste into a shell.
func shellQuote(s string) string {
	const safe = "%+,-./:=@_"
	plain := s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"+safe) == ""
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
