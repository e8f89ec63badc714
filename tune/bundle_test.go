package tune

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/tune/goal"
)

func put(t testing.TB, path, text string) string {
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// A question can be opened elsewhere, with every file that it reads, and asks
// the same there.
func TestBundle(t *testing.T) {
	dir := t.TempDir()
	table, err := os.ReadFile("../costmodel/machines/m5-ultra-512gb.yaml")
	require.NoError(t, err)
	text := strings.Replace(worlds, "machine: m5-ultra-512gb", "machine: ../tables/mine.yaml", 1)
	text = strings.Replace(text, "prompt: {dist: fixed, value: 900}", "prompt: {dist: file, path: lengths.txt}", 1)
	q := &Question{
		Scenarios:  []string{put(t, filepath.Join(dir, "studies", "x.yaml"), text), put(t, filepath.Join(dir, "y.yaml"), worlds)},
		Objectives: []string{"min done_s(reply)"}, Only: []string{"decode-share"},
	}
	put(t, filepath.Join(dir, "studies", "lengths.txt"), "900\n")
	put(t, filepath.Join(dir, "tables", "mine.yaml"), string(table))
	f, err := q.Open()
	require.NoError(t, err)
	b, err := NewBundle(q, f)
	require.NoError(t, err)
	var names []string
	away := t.TempDir()
	for _, file := range b.Files {
		names = append(names, file.Name)
		r, err := b.Open(file)
		require.NoError(t, err)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		put(t, filepath.Join(away, file.Name), string(data))
	}
	require.Equal(t, []string{"studies/x.yaml", "y.yaml", "tables/mine.yaml", "studies/lengths.txt"}, names)
	there, err := b.At(away).Open()
	require.NoError(t, err)
	for _, seed := range []int{0, 5} {
		want, err := f.Play(t.Context(), Point{"0.5"}, seed)
		require.NoError(t, err)
		got, err := there.Play(t.Context(), Point{"0.5"}, seed)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	other, err := NewBundle(b.At(away), there)
	require.NoError(t, err)
	require.Empty(t, heading("p", b).differs(heading("p", other)), "wherever they are, equal files ask the same")
	put(t, filepath.Join(away, "studies", "lengths.txt"), "901\n")
	other, err = NewBundle(b.At(away), there)
	require.NoError(t, err)
	require.Contains(t, heading("p", b).differs(heading("p", other)), `its file 4 is ["studies/lengths.txt"`)

	absolute := strings.Replace(text, "path: lengths.txt", "path: "+filepath.Join(dir, "studies", "lengths.txt"), 1)
	put(t, q.Scenarios[0], absolute)
	f, err = q.Open()
	require.NoError(t, err)
	_, err = NewBundle(q, f)
	require.ErrorContains(t, err, "a path relative to the scenario is wanted, which holds elsewhere too")
}

func TestQuestionErrors(t *testing.T) {
	good := Question{Scenarios: []string{beside}, Objectives: []string{"min done_s(reply)"}}
	for want, change := range map[string]func(*Question){
		"--objective: several; want one, or two with --pareto":                  func(q *Question) { q.Objectives = []string{"min wall_s", "min steps"} },
		"--pareto: 1 objective; want two":                                       func(q *Question) { q.Front = true },
		"--pareto: both objectives are of wall_s; want two metrics":             func(q *Question) { q.Front, q.Objectives = true, []string{"min wall_s", "min wall_s"} },
		"--only decode-share=: no value to try; want decode-share=VALUE,VALUE":  func(q *Question) { q.Only = []string{"decode-share="} },
		"--only decode-share=,: no value to try; want decode-share=VALUE,VALUE": func(q *Question) { q.Only = []string{"decode-share=,"} },
		"--noise 3: want 0 to 2":                                                func(q *Question) { n := 3.0; q.Noise = &n },
		`--fix "parallel": want NAME=VALUE`:                                     func(q *Question) { q.Fix = []string{"parallel"} },
		`no case "none" in the file; it has ["reply first" "long first"]`:       func(q *Question) { q.Cases = []string{"none"} },
	} {
		q := good
		change(&q)
		_, err := q.Open()
		require.EqualError(t, err, want)
	}
	f, err := good.Open()
	require.NoError(t, err)
	require.Equal(t, []goal.Objective{{Metric: goal.Metric{Name: "done_s", Request: "reply"}}}, f.aims.Objectives)
}
