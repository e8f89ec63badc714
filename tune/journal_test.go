package tune

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A sample comes back from JSON with the same bits.
func TestSampleJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		figure := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1)}))
		s := Sample{Costs: rapid.SliceOfN(figure, 1, 3).Draw(t, "costs"), Trace: rapid.Uint64().Draw(t, "trace"), Saturated: rapid.Bool().Draw(t, "saturated")}
		if rapid.Bool().Draw(t, "more") {
			s.Parts = []Part{{figure.Draw(t, "value"), figure.Draw(t, "bound"), figure.Draw(t, "excess")}}
			s.Notes = []string{rapid.StringMatching(`[a-z":\\é]{0,9}`).Draw(t, "note")}
		}
		data, err := json.Marshal(s)
		require.NoError(t, err)
		var back Sample
		require.NoError(t, json.Unmarshal(data, &back))
		require.Equal(t, s, back)
		for i, c := range s.Costs {
			require.Equal(t, math.Float64bits(c), math.Float64bits(back.Costs[i]))
		}
	})
}

// counting counts what is played.
type counting struct {
	Runner
	units int
}

func (c *counting) Run(ctx context.Context, units []Unit, done func(int, Sample, error)) error {
	c.units += len(units)
	return c.Runner.Run(ctx, units, done)
}

func openJournal(t testing.TB, path string, of Evaluator) (*Journal, *counting) {
	c := &counting{Runner: NewLocal(of, 0)}
	j, err := OpenJournal(path, "test", &Bundle{})
	require.NoError(t, err)
	j.Over(c)
	t.Cleanup(func() { _ = j.Close() })
	return j, c
}

// Wherever a search is cut, and wherever its journal's last line is, the same
// search over the journal finds the same and plays the rest alone.
func TestResumed(t *testing.T) {
	world := &synthetic{seed: 3, noise: 3, truth: func(p Point) float64 { return 100 - float64(p.Set()) }}
	space := grid(4, 4, 4, 4, 4)
	want := find(t, world, space, Options{Budget: 2000})
	path := filepath.Join(t.TempDir(), "journal")
	played := 0
	for _, cut := range []int{10, 300, 900, 1500} {
		ctx, cancel := context.WithCancel(context.Background())
		j, c := openJournal(t, path, world)
		known := j.Known()
		found, err := Search(ctx, world, space, Options{Budget: 2000, Runner: j, Progress: func(done, _ int) {
			if done == cut {
				cancel()
			}
		}})
		cancel()
		if err == nil {
			require.Equal(t, Interrupted, found.Verdict())
		} else {
			require.ErrorIs(t, err, ErrStopped)
		}
		require.LessOrEqual(t, j.Known()-known, c.units)
		played += j.Known() - known
		require.NoError(t, j.Close())
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, data[:len(data)-7], 0o644)) // killed while it wrote
		played--
	}
	j, c := openJournal(t, path, world)
	require.Equal(t, played, j.Known())
	found := find(t, world, space, Options{Budget: 2000, Runner: j})
	require.Equal(t, describe(want), describe(found))
	require.Equal(t, want.Runs, found.Runs)
	require.Equal(t, want.Runs, played+c.units, "nothing is played twice")
	j, c = openJournal(t, path, world)
	require.Equal(t, describe(want), describe(find(t, world, space, Options{Budget: 2000, Runner: j})))
	require.Zero(t, c.units)
}

// What is no journal, a damaged one, or one of another study is refused and
// left as it is.
func TestJournalRefused(t *testing.T) {
	world := &synthetic{truth: func(Point) float64 { return 1 }}
	path := filepath.Join(t.TempDir(), "journal")
	j, _ := openJournal(t, path, world)
	find(t, world, grid(3, 3), Options{Budget: 200, Runner: j})
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(good), "\n")
	seed := uint64(7)
	for name, c := range map[string]struct {
		text, program string
		b             Bundle
		want          string
	}{
		"text":       {text: "my notes", want: ":1: it is no journal of tfsim tune; name one, or a file that is not there yet"},
		"lines":      {text: "my\nnotes\n", want: ":1: it is no journal of tfsim tune; name one, or a file that is not there yet"},
		"cut out":    {text: lines[0] + lines[1] + lines[2][9:] + lines[3], want: ":3: the journal is damaged here: the line does not agree with its checksum"},
		"digit":      {text: strings.Replace(string(good), `"costs":[1]`, `"costs":[2]`, 1), want: ":2: the journal is damaged here"},
		"no sample":  {text: lines[0] + line([]byte(`{"unit":{}}`)), want: ":2: the journal is damaged here: the line has no sample"},
		"program":    {text: string(good), program: "later", want: `:1: it is the journal of another study: its program is ["test"], here it is ["later"]`},
		"objective":  {text: string(good), b: Bundle{Question: Question{Objectives: []string{"min wall_s"}}}, want: `:1: it is the journal of another study: its objective is [], here it is ["min wall_s"]`},
		"seed":       {text: string(good), b: Bundle{Question: Question{Seed: &seed}}, want: `its --seed is [], here it is ["7"]`},
		"other file": {text: string(good), b: Bundle{Files: []File{{"x.yaml", "ab"}}}, want: `its objective is [], here it is`},
	} {
		t.Run(name, func(t *testing.T) {
			if c.program == "" {
				c.program = "test"
			}
			if c.b.Files != nil {
				c.want = "it is the journal of another study"
			}
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o644))
			_, err := OpenJournal(path, c.program, &c.b)
			require.ErrorContains(t, err, path+":")
			require.ErrorContains(t, err, c.want)
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, c.text, string(after))
		})
	}
	_, err = OpenJournal(t.TempDir(), "test", &Bundle{})
	require.Error(t, err)
	_, err = OpenJournal(os.DevNull, "test", &Bundle{})
	require.ErrorContains(t, err, os.DevNull+" is no regular file")
}

// Two searches may write a journal at once, even begin it.
func TestJournalOfTwo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, _ := openJournal(t, path, nil)
	first, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(first, first...), 0o644))
	other, _ := openJournal(t, path, nil)
	for i, each := range []*Journal{j, other} {
		require.NoError(t, each.write(entry{Unit{Point{"1"}, i}, Sample{Costs: []float64{1}}}))
		require.NoError(t, each.Close())
	}
	both, _ := openJournal(t, path, nil)
	require.Equal(t, 2, both.Known())
	require.NoError(t, both.Close())
}

// A journal cut anywhere in its first line is begun again.
func TestJournalBegunAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, _ := openJournal(t, path, nil)
	require.NoError(t, j.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for n := range whole {
		require.NoError(t, os.WriteFile(path, whole[:n], 0o644))
		j, _ := openJournal(t, path, nil)
		require.NoError(t, j.Close())
		again, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(whole), string(again))
	}
}

// A unit that fails is not kept, and neither is a journal that cannot be
// written passed over.
func TestJournalErrors(t *testing.T) {
	world := &synthetic{truth: func(Point) float64 { return 1 }, fail: func(Point) error { return errors.New("no") }}
	path := filepath.Join(t.TempDir(), "journal")
	j, _ := openJournal(t, path, world)
	_, err := Search(context.Background(), world, grid(3), Options{Budget: 100, Runner: j})
	require.ErrorContains(t, err, "no")
	require.Zero(t, j.Known())
	world.fail = nil
	require.NoError(t, j.file.Close())
	_, err = Search(context.Background(), world, grid(3), Options{Budget: 100, Runner: j})
	require.ErrorIs(t, err, os.ErrClosed)
}
