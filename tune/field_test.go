package tune

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tune/goal"
)

const worlds = `
name: worlds
machine: m5-ultra-512gb
server: {parallel: 4}
worlds: [{name: as believed}, {name: slow chunks, chunk: 1.25}, {name: slow rows, rows: 1.25}]
cases:
  - {name: two, requests: [{id: long, at: 0s, prompt: 9000, output: 8}, {id: reply, at: 1s, prompt: 64, output: 24}]}
  - name: few
    workload: {arrivals: {process: poisson, rate: 0.2}, count: 8, prompt: {dist: fixed, value: 900}, output: {dist: fixed, value: 20}, mix: [{weight: 1}]}
arms:
  - {name: base}
  - {name: share, flags: {decode-share: 0.5}}
  - {name: cached, flags: {prompt-cache-gib: 1}}
`

func written(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "x.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func space(t testing.TB, only ...string) *Space {
	s, err := NewSpace(only, nil)
	require.NoError(t, err)
	return s
}

// What is recommended for the fill bench, on each of its machines, beats the
// default and is at least as good as each published arm, and says so.
func TestLongBesideShort(t *testing.T) {
	for _, path := range []string{beside, strings.Replace(beside, ".yaml", "-m3.yaml", 1)} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			s := space(t)
			f := field(t, s, []string{path}, "min done_s(reply)", "ttft_s(long) <= 1.05 * base")
			starts, names, outside := f.Starts()
			require.Equal(t, []string{"base", "pieces", "decode-share"}, names[:3])
			require.Empty(t, outside)
			found := find(t, f, s, Options{Budget: 2500, Starts: starts})
			require.Equal(t, Recommended, found.Verdict())
			require.True(t, found.Confirmed)
			require.True(t, found.Winner.Holds())
			require.Less(t, found.Winner.Cost().High, found.Default.Cost().Low/10)
			for i, arm := range found.Starts {
				require.LessOrEqual(t, found.Winner.Cost().Mean, arm.Cost().Mean, names[i])
			}
			a := NewAnswer(f, found)
			require.NotEmpty(t, append(a.Lines, a.Flags...))
			require.LessOrEqual(t, found.Runs, 2500)
			arm := a.Against[len(a.Against)-1]
			require.Equal(t, "best arm, decode-share", arm.Name)
			require.True(t, arm.Better)
			var out bytes.Buffer
			require.NoError(t, a.Write(&out))
			require.Contains(t, out.String(), "these settings beat the default")
			require.Contains(t, out.String(), "against the best arm, decode-share: 0.")
			require.Contains(t, out.String(), "some prices are estimated")
		})
	}
}

// The answer does not depend on the number of workers, to the byte.
func TestAnswersDoNotDependOnWorkers(t *testing.T) {
	path := written(t, worlds)
	of := func(workers int) string {
		s := space(t)
		f := field(t, s, []string{path, beside}, "min done_s(reply)", "ttft_s(long) <= 1.2 * base", "ttft_s.p95 in 'few' <= 20")
		starts, _, _ := f.Starts()
		var out bytes.Buffer
		require.NoError(t, WriteJSON(&out, NewAnswer(f, find(t, f, s, Options{Budget: 1500, Starts: starts, Runner: NewLocal(f, workers)}))))
		f = field(t, s, []string{path}, "min done_s(reply), min ttft_s(long)")
		front, err := SearchFront(context.Background(), f, s, Options{Budget: 1500, Runner: NewLocal(f, workers)})
		require.NoError(t, err)
		require.NoError(t, WriteJSON(&out, NewFrontAnswer(f, front)))
		return out.String()
	}
	one := of(1)
	require.Equal(t, one, of(3))
	require.Contains(t, one, `"worlds": 3`)
	require.Contains(t, one, "not compared, since they set what is not searched: arms worlds / cached")
}

// The front's figures fall in one objective as they rise in the other, and it
// can be drawn.
func TestFront(t *testing.T) {
	s := space(t, "decode-share", "TFSIM_STEP_ROWS")
	f := field(t, s, []string{beside}, "min done_s(reply), min ttft_s(long)")
	found, err := SearchFront(context.Background(), f, s, Options{Budget: 3000})
	require.NoError(t, err)
	require.True(t, found.Whole)
	require.Greater(t, len(found.Points), 2)
	for i, c := range found.Points[1:] {
		before := found.Points[i]
		require.Greater(t, c.Objective(0).Mean, before.Objective(0).Mean)
		require.Less(t, c.Objective(1).Mean, before.Objective(1).Mean)
	}
	a := NewFrontAnswer(f, found)
	for _, format := range []string{"svg", "png"} {
		var out bytes.Buffer
		require.NoError(t, a.Draw(&out, format))
		require.NotEmpty(t, out.Bytes())
	}
	var out bytes.Buffer
	require.NoError(t, a.Write(&out))
	require.Contains(t, out.String(), "front of min done_s(reply) and min ttft_s(long)")
}

// The worst world counts where that is asked for.
func TestRobustOverWorlds(t *testing.T) {
	path := written(t, worlds)
	s := space(t, "decode-share")
	cost := func(robust string) float64 {
		f := field(t, s, []string{path}, "min done_s(long)")
		var err error
		f.aims.Robust, err = ParseRobust(robust)
		require.NoError(t, err)
		sample, err := f.Play(context.Background(), s.Default(), 0)
		require.NoError(t, err)
		return sample.Costs[0]
	}
	require.Greater(t, cost("worst"), cost("p80"))
	require.Greater(t, cost("p80"), cost("mean"))
	require.Equal(t, cost("mean"), cost(""))
	for _, bad := range []string{"best", "p0", "p100", "px"} {
		_, err := ParseRobust(bad)
		require.ErrorContains(t, err, "want mean, worst or p1 to p99")
	}
}

func TestRobustParts(t *testing.T) {
	parts := func() []Part { return []Part{{1, 2, -1}, {5, 2, 3}, {3, 2, 1}} }
	require.Equal(t, Part{5, 2, 3}, Robust{1}.part(parts()))
	require.Equal(t, Part{3, 2, 1}, Robust{0.5}.part(parts()))
	mean := Robust{}.part(parts())
	require.InDelta(t, 3, mean.Value, 1e-12)
	require.InDelta(t, 1, mean.Excess, 1e-12)
}

// Aims without a figure are refused before anything is played.
func TestFieldErrors(t *testing.T) {
	file, err := scenario.Parse("x.yaml", []byte(worlds))
	require.NoError(t, err)
	probe, err := study.NewProbe(file, study.Options{})
	require.NoError(t, err)
	s := space(t, "decode-share")
	for text, want := range map[string]string{
		"min done_s(rely)":        `done_s(rely): no request "rely"; the requests are ["long" "reply"] (of a workload, name the case, too)`,
		"min wall_s in 'three'":   `wall_s in 'three': no case "three"; the cases are ["two" "few"]`,
		"max goodput_rps":         `goodput_rps: no case has an slo, which goodput needs`,
		"min done_s(r1) in 'two'": `done_s(r1) in 'two': no request "r1"; the requests are ["long" "reply"] (of a workload, name the case, too)`,
	} {
		o, err := goal.ParseObjective(text)
		require.NoError(t, err)
		_, err = NewField(s, []*study.Probe{probe}, Aims{Objectives: []goal.Objective{o}})
		require.EqualError(t, err, want)
	}
	f := field(t, s, []string{written(t, worlds)}, "min done_s(r1) in 'few'", "gap_p95_ms(reply) <= base")
	sample, err := f.Play(context.Background(), s.Default(), 0)
	require.NoError(t, err)
	require.Positive(t, sample.Costs[0], "a workload's request, asked for by name")
	f = field(t, s, []string{written(t, strings.ReplaceAll(worlds, "output: 8", "output: 1"))}, "min wall_s", "gap_p95_ms(long) <= base")
	_, err = f.Play(context.Background(), s.Default(), 0)
	require.EqualError(t, err, "gap_p95_ms(long): the base, arm base, has no such figure in case two")
}
