package llamacpp

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
)

// The drafters besides a model.
const (
	// DrafterNone drafts nothing.
	DrafterNone = "none"
	// DrafterLookup looks the last tokens up in the text.
	DrafterLookup = "lookup"
)

// Settings say what the program loads and how. They are its flags.
type Settings struct {
	// Library is the folder of llama.cpp's libraries.
	Library string
	// Model is a GGUF file. Drafter is another, "lookup" or "none".
	Model   string
	Drafter string
	// Slots and Context (rows of a slot) size the cache.
	Slots   int
	Context int
	// LaunchRows is the most rows of a round, ChunkRows that of a prompt
	// chunk, DraftDepth the most drafts of an ask.
	LaunchRows int
	ChunkRows  int
	DraftDepth int
	// Threads is the number of CPU threads; more than the free cores is very
	// slow.
	Threads int
	// GPULayers is how many layers go to a GPU: -1 all, 0 none.
	GPULayers int
	// Exact is "auto", "on", "off" or "whole". On stops where it cannot be
	// promised; whole is on by the whole rule (see Rule) instead of the even.
	Exact string
	// WarmUp runs each kind of work once where it is compiled when it is first
	// needed, on a GPU: loading takes that much longer.
	WarmUp bool
}

// Defaults are the settings without a model.
func Defaults() Settings {
	return Settings{
		Drafter: DrafterLookup, Slots: 4, Context: 8192, LaunchRows: 64, ChunkRows: 128, DraftDepth: 8,
		Threads: 1, GPULayers: -1, Exact: "auto",
	}
}

// Flags declares the settings in a set of flags, with the present values as
// defaults.
func (s *Settings) Flags(f *flag.FlagSet) {
	f.StringVar(&s.Library, "lib", s.Library, "folder of llama.cpp's libraries")
	f.StringVar(&s.Model, "model", s.Model, "GGUF file of the model")
	f.StringVar(&s.Drafter, "drafter", s.Drafter, "GGUF file of a draft model, lookup, or none")
	f.IntVar(&s.Slots, "slots", s.Slots, "requests at a time")
	f.IntVar(&s.Context, "context", s.Context, "most tokens of a request")
	f.IntVar(&s.LaunchRows, "launch-rows", s.LaunchRows, "most rows of a round")
	f.IntVar(&s.ChunkRows, "chunk-rows", s.ChunkRows, "most rows of a prompt chunk")
	f.IntVar(&s.DraftDepth, "draft-depth", s.DraftDepth, "most drafts of an ask")
	f.IntVar(&s.Threads, "threads", s.Threads, "CPU threads")
	f.IntVar(&s.GPULayers, "gpu-layers", s.GPULayers, "layers on a GPU, -1 for all")
	f.StringVar(&s.Exact, "exact", s.Exact, "auto, on, off or whole")
	f.BoolVar(&s.WarmUp, "warm-up", s.WarmUp, "run each kind of work once on a GPU, which compiles it")
}

// args are the settings as a command line.
func (s Settings) args() []string {
	var args []string
	add := func(name, value string) { args = append(args, "-"+name+"="+value) }
	add("lib", s.Library)
	add("model", s.Model)
	add("drafter", s.Drafter)
	for _, n := range []struct {
		name  string
		value int
	}{
		{"slots", s.Slots}, {"context", s.Context}, {"launch-rows", s.LaunchRows}, {"chunk-rows", s.ChunkRows},
		{"draft-depth", s.DraftDepth}, {"threads", s.Threads}, {"gpu-layers", s.GPULayers},
	} {
		add(n.name, strconv.Itoa(n.value))
	}
	add("exact", s.Exact)
	add("warm-up", strconv.FormatBool(s.WarmUp))
	return args
}

// Check says what is out of range.
func (s Settings) Check() error {
	for _, n := range []struct {
		name               string
		value, least, most int
	}{
		{"slots", s.Slots, 1, 256}, // the most sequences of a llama.cpp context
		{"context", s.Context, 1, 1 << 24},
		{"launch-rows", s.LaunchRows, 1, 4096},
		{"chunk-rows", s.ChunkRows, 1, 4096},
		{"draft-depth", s.DraftDepth, 1, 64},
		{"threads", s.Threads, 1, 1024},
		{"gpu-layers", s.GPULayers, -1, 1 << 20},
	} {
		if n.value < n.least || n.value > n.most {
			return fmt.Errorf("%s is %d; want %d to %d", n.name, n.value, n.least, n.most)
		}
	}
	switch {
	case s.LaunchRows < s.Slots:
		return fmt.Errorf("launch-rows is %d; want at least one for each of %d slots", s.LaunchRows, s.Slots)
	case s.Model == "":
		return errors.New("no model")
	case s.Drafter == "":
		return fmt.Errorf("no drafter; want a file, %s or %s", DrafterLookup, DrafterNone)
	case !slices.Contains([]string{"auto", "on", "off", "whole"}, s.Exact):
		return fmt.Errorf("exact is %q; want auto, on, off or whole", s.Exact)
	}
	return nil
}
