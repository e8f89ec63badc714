package llamacpp_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/devicetest"
	"github.com/tfsim/tfsim/device/llamacpp"
	"github.com/tfsim/tfsim/device/llamacpp/libs"
	"github.com/tfsim/tfsim/internal/demopair"
)

const (
	target = "testdata/models/target-q8_0.gguf"
	draft  = "testdata/models/draft-q8_0.gguf"
)

func TestMain(m *testing.M) {
	code := m.Run()
	demopair.Clean()
	os.Exit(code)
}

// gpu runs the tests on a GPU, with libraries that can.
var gpu = flag.Bool("gpu", false, "run the tests on a GPU")

// settings are those of the tests: the demo pair on one thread.
func settings(t testing.TB) llamacpp.Options {
	t.Helper()
	o := demopair.Settings(t)
	if *gpu {
		o.GPULayers = -1
	}
	o.Context = 1024
	return o
}

// exactHere says that exact mode can be had.
func exactHere() bool { return runtime.GOARCH == "amd64" && !*gpu }

func open(t testing.TB, o llamacpp.Options) *llamacpp.Device {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	d, err := llamacpp.Open(ctx, o)
	if demopair.Missing(t, err); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestConformance(t *testing.T) {
	for name, change := range map[string]func(*llamacpp.Options){
		"draft model": func(*llamacpp.Options) {},
		"whole rule":  func(o *llamacpp.Options) { o.Exact, o.Drafter = "whole", llamacpp.DrafterLookup },
		"not exact":   func(o *llamacpp.Options) { o.Exact, o.Drafter = "off", llamacpp.DrafterNone },
	} {
		t.Run(name, func(t *testing.T) {
			if name != "draft model" && testing.Short() {
				t.Skip("short: the draft model's run holds the rest to the same")
			}
			base := settings(t)
			change(&base)
			if base.Exact == "whole" && !exactHere() {
				t.Skip("exact mode cannot be promised here")
			}
			devicetest.Run(t, func(t *testing.T, o devicetest.Options) device.Device {
				base := base
				base.Slots, base.Context = o.Slots, o.Context
				return open(t, base)
			})
		})
	}
}

func TestInfo(t *testing.T) {
	d := open(t, settings(t))
	i := d.Info()
	t.Logf("%s, %s, %s, weights %s, drafter %s", i.Name, i.Backend, i.Build, i.Weights, i.Drafter)
	t.Logf("%d bytes a row, %d of %d MiB free", i.StateBytes, i.Free>>20, i.Memory>>20)
	if i.Vocabulary != 4096 || !i.IsEnd(0) || (i.Backend == "cpu") == *gpu {
		t.Errorf("%+v", i)
	}
	if (i.Promise.Level == device.Exact) != exactHere() {
		t.Errorf("promises %s on %s", i.Promise.Level, runtime.GOARCH)
	}
}

// A process that is killed takes its slots along; another goes on.
func TestKilled(t *testing.T) {
	d := open(t, settings(t))
	ctx := context.Background()
	prompt := []device.Token{5, 6, 7}
	fill := func() device.Token {
		t.Helper()
		if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
			t.Fatal(err)
		}
		first, _, err := d.Finish(ctx, 0, 0, prompt, device.FinishOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return first
	}
	want := fill()
	for range 2 {
		d.Kill()
		_, err := d.Verify([]device.Window{{Slot: 0, Position: 3}}, nil)
		if !errors.Is(err, device.ErrLost) || !strings.Contains(err.Error(), "killed") {
			t.Fatalf("a call of a killed device: %v", err)
		}
		if err := d.Restart(ctx); err != nil {
			t.Fatal(err)
		}
		if got := fill(); got != want {
			t.Errorf("after a restart the first token is %d, was %d", got, want)
		}
	}
}

// Libraries that are not llama.cpp, or of another release, are refused by name.
func TestWrongLibrary(t *testing.T) {
	o := settings(t)
	dir := t.TempDir()
	b, err := os.ReadFile(filepath.Join(o.Library, libs.File("ggml-base")))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, libs.File("llama")), b, 0o755); err != nil {
		t.Fatal(err)
	}
	o.Library = dir
	if _, err := llamacpp.Open(context.Background(), o); err == nil || !strings.Contains(err.Error(), "has no llama_version") {
		t.Errorf("%v", err)
	}
}

// What keeps the program from starting is said in one line.
func TestCannotStart(t *testing.T) {
	base := settings(t)
	dir := t.TempDir()
	garbage := filepath.Join(dir, "garbage.gguf")
	if err := os.WriteFile(garbage, []byte("GGUF, it is not"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(*llamacpp.Options)
		want   string
	}{
		{"no model", func(o *llamacpp.Options) { o.Model = filepath.Join(dir, "none.gguf") }, "none.gguf"},
		{"garbage", func(o *llamacpp.Options) { o.Model = garbage }, "garbage.gguf"},
		{"no library", func(o *llamacpp.Options) { o.Library = dir }, "no libllama"},
		{"no program", func(o *llamacpp.Options) { o.Program = filepath.Join(dir, "none") }, "none"},
		{"slots", func(o *llamacpp.Options) { o.Slots = 300 }, "slots is 300"},
		{"exact", func(o *llamacpp.Options) { o.Exact = "maybe" }, `exact is "maybe"`},
	} {
		o := base
		c.change(&o)
		_, err := llamacpp.Open(context.Background(), o)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), "\n") > 3 {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// A program that cannot even start says what to install.
func TestNoLibffi(t *testing.T) {
	lib, program := t.TempDir(), filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(filepath.Join(lib, libs.File("llama")), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\necho 'panic: libffi.so.8: cannot open shared object file' >&2\nexit 2\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	o := llamacpp.Options{Settings: llamacpp.Defaults(), Program: program}
	o.Library, o.Model = lib, target
	if _, err := llamacpp.Open(context.Background(), o); err == nil || !strings.Contains(err.Error(), "apt install libffi8") {
		t.Errorf("%v", err)
	}
}

// A start that takes too long is given up.
func TestStartIsBounded(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := llamacpp.Open(ctx, settings(t)); err == nil {
		t.Error("opened with a context that has ended")
	}
}

// A call that runs when the process is killed ends.
func TestKilledMidCall(t *testing.T) {
	d := open(t, settings(t))
	if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, d.Kill)
	n, err := d.Piece(context.Background(), 0, 0, make([]device.Token, 1000))
	if !errors.Is(err, device.ErrLost) {
		t.Errorf("%d rows, %v", n, err)
	}
}

// The drafter reads along: on text of the kind it knows, more than a third of
// first drafts are kept, also after plain rounds, and drawn with the target's
// key as well as greedy.
func TestDraftsAreKept(t *testing.T) {
	d := open(t, settings(t))
	prompt, err := d.Tokenize(source(t), false, false)
	if err != nil {
		t.Fatal(err)
	}
	prompt = prompt[:400]
	for name, s := range map[string]device.Sampling{"greedy": {}, "sampled": {Temperature: 1, Seed: 5}} {
		if _, err := d.Begin(0, device.BeginOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := d.Finish(context.Background(), 0, 0, prompt, device.FinishOptions{Sampling: s}); err != nil {
			t.Fatal(err)
		}
		at, asked, kept, confidence := len(prompt), 0, 0, 0.0
		late := [2]int{} // drafts, and kept ones, after the drafter fell behind
		for round := 0; at < 900; round++ {
			w := device.Window{Slot: 0, Position: at}
			// The drafter is behind by one round now and then, and once by more
			// than it reads.
			if round%4 > 0 && (round < 60 || round > 160) {
				drafts, err := d.Pass([]device.Ask{{Slot: 0, Depth: 2}}, nil)
				if err != nil {
					t.Fatal(err)
				}
				w.Drafts = []device.Token{drafts[0].Token}
				confidence += drafts[0].Confidence
				asked++
			}
			v, err := d.Verify([]device.Window{w}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if round > 160 {
				late[0] += len(w.Drafts)
				late[1] += v[0].Kept
			}
			kept += v[0].Kept
			at += len(v[0].Tokens)
		}
		if err := d.Release(0); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d of %d first drafts kept, mean confidence %.2f", name, kept, asked, confidence/float64(asked))
		if 3*kept < asked {
			t.Errorf("%s: %d of %d first drafts kept", name, kept, asked)
		}
		if late[0] < 50 || 3*late[1] < late[0] {
			t.Errorf("%s: %d of %d kept after the drafter fell behind", name, late[1], late[0])
		}
	}
}

// What cannot fit the memory is refused before it is loaded, with what would.
func TestTooMuchMemory(t *testing.T) {
	o := settings(t)
	o.Context, o.Slots, o.LaunchRows = 1<<24, 256, 256
	_, err := llamacpp.Open(context.Background(), o)
	if err == nil || !strings.Contains(err.Error(), "256 slots with a context of 16777216 need") || !strings.Contains(err.Error(), "would fit") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}
