package study_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/internal/golden"
	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
)

func file(t testing.TB, name string) *scenario.File {
	f, err := scenario.Load(filepath.Join("testdata", name))
	require.NoError(t, err)
	return f
}

// parse reads a scenario; its errors are in x.yaml.
func parse(t testing.TB, text string) *scenario.File {
	f, err := scenario.Parse("x.yaml", []byte(text))
	require.NoError(t, err)
	return f
}

func play(t testing.TB, f *scenario.File, o study.Options) *result.Document {
	d, err := study.Play(context.Background(), f, o)
	require.NoError(t, err)
	return d
}

func document(t testing.TB, d *result.Document) string {
	var out bytes.Buffer
	require.NoError(t, result.WriteJSON(&out, d))
	return out.String()
}

// The documents of two small files, to the byte, on every platform.
func TestDocuments(t *testing.T) {
	for _, name := range []string{"listed", "workload"} {
		t.Run(name, func(t *testing.T) {
			golden.File(t, "testdata/"+name+".json.golden", []byte(document(t, play(t, file(t, name+".yaml"), study.Options{}))))
		})
	}
}

// Results are in the order of worlds, cases and arms as the file has them.
func TestOrder(t *testing.T) {
	var got []string
	for _, e := range play(t, file(t, "listed.yaml"), study.Options{}).Results {
		got = append(got, e.World+"/"+e.Case+"/"+e.Arm)
	}
	require.Equal(t, strings.Fields(`
		exact/mixed/base exact/mixed/pieces exact/mixed/plain exact/turning/base exact/turning/pieces exact/turning/plain
		rough/mixed/base rough/mixed/pieces rough/mixed/plain rough/turning/base rough/turning/pieces rough/turning/plain`), got)
}

// Filters leave cells out and the others as they were; expectations about
// what was left out are skipped.
func TestFilters(t *testing.T) {
	f := file(t, "listed.yaml")
	all := play(t, f, study.Options{})
	for _, c := range []struct {
		name    string
		options study.Options
		cells   int
		skipped []bool
	}{
		{"all", study.Options{}, 12, []bool{false, false}},
		{"a case", study.Options{Cases: []string{"mixed"}}, 6, []bool{false, true}},
		{"an arm", study.Options{Arms: []string{"base"}}, 4, []bool{true, false}},
		{"the arm compared with is out", study.Options{Arms: []string{"pieces"}}, 4, []bool{true, true}},
		{"both", study.Options{Arms: []string{"plain", "base"}, Cases: []string{"turning"}}, 4, []bool{true, false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := play(t, f, c.options)
			require.Len(t, d.Results, c.cells)
			for _, e := range d.Results {
				require.Contains(t, all.Results, e)
			}
			for i, e := range d.Expect {
				require.Equal(t, c.skipped[i], e.Skipped, e.Text)
				require.True(t, e.OK)
				require.Equal(t, c.skipped[i], strings.Contains(e.Text, "was left out"), e.Text)
			}
		})
	}
	for _, o := range []study.Options{{Arms: []string{"bse"}}, {Cases: []string{"mixt"}}} {
		_, err := study.Play(context.Background(), f, o)
		require.ErrorContains(t, err, "in the file; it has")
	}
}

// Settings win from the registry's default over the file and the arm to the
// command line.
func TestLayers(t *testing.T) {
	f := parse(t, `
machine: m3-ultra-512gb
settings: {TF_DSV41_PREFILL_PIECES: "1", TFSIM_STEP_ROWS: 512}
cases: [{name: c, requests: [{id: r, prompt: 4096, output: 1}]}]
arms: [{name: file}, {name: arm, env: {TFSIM_STEP_ROWS: 1024}}]
`)
	steps := func(o study.Options) (all []float64) {
		for _, e := range play(t, f, o).Results {
			all = append(all, float64(e.Totals.Steps))
		}
		return all
	}
	require.Equal(t, []float64{8, 4}, steps(study.Options{}))
	set := func(text string) study.Options {
		return study.Options{Set: []study.Assignment{{Name: "TFSIM_STEP_ROWS", Text: text}}}
	}
	require.Equal(t, []float64{2, 2}, steps(set("2048")))
	require.Equal(t, []float64{1, 1}, steps(set("")), "blank is unset")
}

func TestAnotherMachine(t *testing.T) {
	f := file(t, "workload.yaml")
	d := play(t, f, study.Options{Machine: "m5-ultra-512gb"})
	require.Equal(t, "m5-ultra-512gb", d.Machine)
	require.NotEqual(t, play(t, f, study.Options{}).Results[0].Totals, d.Results[0].Totals)
	_, err := study.Play(context.Background(), f, study.Options{Machine: "m9"})
	require.ErrorContains(t, err, `unknown machine "m9"`)
}

// What a scheduler has to know of a machine's launches comes from its table: a
// long text beside a short one gets a launch of its own.
func TestMachineOfStreams(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "machine.yaml"))
	require.NoError(t, err)
	for _, c := range []struct {
		caches string
		want   bool
	}{{"", false}, {"caches: streams\n", true}} {
		machine := filepath.Join(t.TempDir(), "machine.yaml")
		text := strings.Replace(string(data), "context_ms_per_1k: 0.06", c.caches+"context_ms_per_1k: 10", 1)
		require.NoError(t, os.WriteFile(machine, []byte(text), 0o600))
		f := parse(t, `
machine: m3-ultra-512gb
settings: {TF_DSV41_CALIB: cached, TFSIM_DRAFT_RULE: plain}
cases: [{name: c, requests: [{id: long, prompt: 8000, output: 20}, {id: short, prompt: 10, output: 20}]}]
arms: [{name: a}]
`)
		var out bytes.Buffer
		play(t, f, study.Options{Machine: machine, Events: &out})
		require.Equal(t, c.want, strings.Contains(out.String(), `"windows":2,"launches":2`), c.caches)
		require.Equal(t, !c.want, strings.Contains(out.String(), `"windows":2,"launches":1`), c.caches)
	}
}

// Noise and seed on the command line replace those of every world.
func TestNoiseAndSeed(t *testing.T) {
	f := file(t, "listed.yaml")
	zero, seed := 0.0, uint64(9)
	a := play(t, f, study.Options{Noise: &zero, Seed: &seed})
	b := play(t, f, study.Options{Noise: &zero, Seed: &seed})
	require.Equal(t, document(t, a), document(t, b))
	require.NotEqual(t, document(t, a), document(t, play(t, f, study.Options{Seed: &seed})))
	require.NotEqual(t, document(t, a), document(t, play(t, f, study.Options{Noise: &zero})))
}

// An error about the file names its place.
func TestErrors(t *testing.T) {
	const cases = "\ncases: [{name: c, requests: [{id: r, prompt: 64, output: 4}]}]\n"
	for _, c := range []struct{ name, text, want string }{
		{"machine", "machine: m9" + cases, `x.yaml:1:10: unknown machine "m9"`},
		{"machine file", "machine: none.yaml" + cases, `x.yaml:1:10: `},
		{"load", "machine: gb10-x2\ncases: [{name: c, requests: [{id: r, prompt: 64, output: 4, load: poem}]}]\n", `x.yaml:2:67: unknown load`},
		{"load of a mix", "machine: gb10-x2\ncases:\n  - name: c\n    workload:\n      {arrivals: {process: constant, rate: 1}, count: 1, prompt: {dist: fixed, value: 9}, output: {dist: fixed, value: 9},\n" +
			"       mix: [{weight: 1, load: poem}]}\n", `x.yaml:6:32: unknown load`},
		{"setting of the file", "machine: gb10-x2\nsettings: {TFSIM_NONE: 1}" + cases, `x.yaml:2:12: `},
		{"value of the file", "machine: gb10-x2\nsettings: {TFSIM_STEP_ROWS: none}" + cases, `x.yaml:2:29: `},
		{"value of an arm", "machine: gb10-x2" + cases + "arms:\n  - {name: a, flags: {decode-share: 2}}\n", `x.yaml:4:37: `},
		{"setting of an arm", "machine: gb10-x2" + cases + "arms:\n  - {name: a, env: {decode_share: 0.5}}\n", `x.yaml:4:21: `},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := scenario.Parse("x.yaml", []byte(c.text))
			require.NoError(t, err)
			_, played := study.Play(context.Background(), f, study.Options{})
			checked := study.Check(f, study.Options{})
			require.Equal(t, checked, played)
			require.ErrorContains(t, played, c.want)
			require.True(t, strings.HasPrefix(played.Error(), c.want[:strings.Index(c.want, ": ")+2]), played)
			require.NotContains(t, played.Error(), "\n")
		})
	}
}

// Each seed is a run of its own; figures are their means, and every numeric
// total has an interval around its mean.
func TestRepeat(t *testing.T) {
	f := file(t, "listed.yaml")
	o := study.Options{Arms: []string{"base"}, Cases: []string{"mixed"}, Repeat: 4}
	d := play(t, f, o)
	for _, e := range d.Results {
		require.Equal(t, 4, e.Seeds)
		require.Len(t, e.CI95, len(result.TotalsMetrics()))
		mean := 0.0
		for i := range 4 {
			seed := f.Worlds[map[string]int{"exact": 0, "rough": 1}[e.World]].Seed + uint64(i)
			one := o
			one.Repeat, one.Seed = 1, &seed
			for _, x := range play(t, f, one).Results {
				if x.World == e.World {
					mean += x.Totals.DecodeRate.Value / 4
				}
			}
		}
		require.InEpsilon(t, mean, e.Totals.DecodeRate.Value, 1e-12)
		pair := e.CI95["decode_tok_s"]
		require.LessOrEqual(t, pair[0].Value, mean)
		require.GreaterOrEqual(t, pair[1].Value, mean)
	}
	require.Nil(t, play(t, f, study.Options{}).Results[0].CI95)
}

// The document does not depend on the number of workers.
func TestWorkers(t *testing.T) {
	for _, name := range []string{"listed.yaml", "workload.yaml"} {
		f := file(t, name)
		want := document(t, play(t, f, study.Options{Repeat: 5, Workers: 1}))
		for _, workers := range []int{0, 2, 4, 100} {
			require.Equal(t, want, document(t, play(t, f, study.Options{Repeat: 5, Workers: workers})))
		}
	}
}

func TestProgress(t *testing.T) {
	var done []int
	play(t, file(t, "workload.yaml"), study.Options{Repeat: 3, Progress: func(n, total int) {
		require.Equal(t, 12, total)
		done = append(done, n)
	}})
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, done)
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := study.Play(ctx, file(t, "listed.yaml"), study.Options{})
	require.ErrorIs(t, err, context.Canceled)

	// A single run without arrivals to come stops as well.
	f := parse(t, "machine: m3-ultra-512gb\ncases: [{name: c, requests: [{id: r, prompt: 64, output: 1000000000}]}]\n")
	ctx, cancel = context.WithCancel(context.Background())
	rounds := 0
	_, err = study.Play(ctx, f, study.Options{Watch: func(study.Watched) core.Sink {
		return sink(func(*core.Event) {
			if rounds++; rounds == 1000 {
				cancel()
			}
		})
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "stopped after")
	require.Less(t, rounds, 20_000)
}

type sink func(*core.Event)

func (f sink) Record(e *core.Event) { f(e) }

// A fault of one run is an error that says where, not the end of the process.
func TestPanic(t *testing.T) {
	_, err := study.Play(context.Background(), file(t, "listed.yaml"), study.Options{Watch: func(study.Watched) core.Sink {
		return sink(func(*core.Event) { panic("of\nsome kind") })
	}})
	var fault *study.Panic
	require.ErrorAs(t, err, &fault)
	require.ErrorContains(t, err, "study_test.go:")
}

// The events of every run, one after another, each line an object; a head tells
// the runs apart.
func TestEvents(t *testing.T) {
	f := file(t, "listed.yaml")
	var out bytes.Buffer
	play(t, f, study.Options{Events: &out, Repeat: 2, Cases: []string{"mixed"}})
	var again bytes.Buffer
	play(t, f, study.Options{Events: &again, Repeat: 2, Cases: []string{"mixed"}, Workers: 4})
	require.Equal(t, out.String(), again.String())
	names, heads, ends := map[string]int{}, map[string]bool{}, 0
	for line := range strings.Lines(out.String()) {
		var e map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &e), line)
		if e["run"] != nil {
			heads[line] = true
			continue
		}
		require.Contains(t, e, "at_us")
		switch e["event"] {
		case "submitted":
			names[e["request"].(string)]++
		case "finished", "cancelled", "failed":
			ends++
		}
	}
	runs := 2 * 3 * 2
	require.Len(t, heads, runs)
	require.Contains(t, heads, `{"run":{"scenario":"listed","machine":"test-machine","world":"exact","case":"mixed","arm":"base","seed":2}}`+"\n")
	require.Equal(t, map[string]int{"reply": runs, "long": runs, "gone": runs}, names)
	require.Equal(t, 3*runs, ends)
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestEventsThatCannotBeWritten(t *testing.T) {
	_, err := study.Play(context.Background(), file(t, "listed.yaml"), study.Options{Events: fullDisk{}})
	require.ErrorIs(t, err, os.ErrClosed)
}
