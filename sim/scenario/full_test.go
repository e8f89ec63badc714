package scenario

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/replay"

	"github.com/tfsim/tfsim/core"
)

func load(t *testing.T, path string) *File {
	t.Helper()
	f, err := Load(path)
	require.NoError(t, err)
	return f
}

// TestFull reads a file that has every key.
func TestFull(t *testing.T) {
	f := load(t, "testdata/full.yaml")
	require.Equal(t, "all keys", f.Name)
	require.Equal(t, "what this shows\n", f.About)
	require.Equal(t, filepath.Join("machines", "mine.yaml"), f.Machine, "relative to the file, testdata/full.yaml")
	require.True(t, f.MachineFile)
	require.Equal(t, Server{4, 1048576, 0.5, Pos{5, 20}, Pos{5, 32}, Pos{5, 59}}, f.Server)

	require.Equal(t, []Setting{
		{Pos{7, 3}, "TENSORFOLD_PREFILL_ORDER", Value{"srpt", Pos{7, 29}}},
		{Pos{8, 3}, "decode-share", Value{"0.25", Pos{8, 17}}},
		{Pos{9, 3}, "TF_DSV41_PREFILL_PIECES", Value{"1", Pos{9, 28}}},
		{Pos{10, 3}, "no-drafts", Value{"true", Pos{10, 14}}},
		{Pos{11, 3}, "TF_DSV41_DEPTH_JOINT", Value{"", f.Settings[4].Value.Pos}},
		{Pos{12, 3}, "parallel", Value{"08", Pos{12, 13}}},
	}, f.Settings)
	require.Equal(t, "testdata/full.yaml:8:17", f.At(8, 17))

	require.Equal(t, []World{
		{Pos{14, 5}, "true costs", 1, 0, DraftsSampled, 1, 1, 1, 1, 0},
		{f.Worlds[1].Pos, "odd", 7, 0.02, DraftsExpected, 1.25, 3, 0.8, 0.5, -0.1},
	}, f.Worlds)

	require.Len(t, f.Cases, 3)
	c := f.Cases[0]
	require.Equal(t, 0.2, *c.Heat)
	require.Equal(t, &SLO{10, 500}, c.SLO)
	reply, long, again := c.Requests[0], c.Requests[1], c.Requests[2]
	require.Equal(t, core.Micros(0), reply.At)
	require.Equal(t, core.Never, reply.CancelAt)
	require.Equal(t, [2]string{"chat"}, reply.Load.Names)
	require.False(t, reply.Background || reply.NoDraft)
	require.Equal(t, core.Micros(500_000), long.At)
	require.Equal(t, core.Micros(90_000_000), long.CancelAt)
	require.Equal(t, 131072, long.Prompt)
	require.True(t, long.Background && long.NoDraft)
	require.Equal(t, 1.0, long.Temperature)
	require.Equal(t, &Prefix{"doc1", 4096}, long.Prefix)
	require.Equal(t, [2]string{"chat", "code"}, long.Load.Names)
	require.Equal(t, 10, long.Load.TurnAt)
	require.Equal(t, "long", again.Like)
	require.Equal(t, long.Load, again.Load, "the same text as the request that it is like")

	w := f.Cases[1].Workload
	require.Equal(t, Gamma, w.Arrivals.Process)
	require.Equal(t, []float64{0.5, 2}, []float64{w.Arrivals.Rate, w.Arrivals.CV})
	require.Equal(t, core.Micros(600_000_000), w.Duration)
	require.Equal(t, []float64{900, 8000, 131072}, []float64{w.Prompt.Median, w.Prompt.P95, float64(w.Prompt.Max)})
	require.Equal(t, filepath.Join("testdata", "lengths.txt"), w.Output.Path)
	require.False(t, w.PerRequest)
	require.Equal(t, []float64{3, 1}, []float64{w.Mix[0].Weight, w.Mix[1].Weight})
	require.True(t, w.Mix[1].Background)
	w = f.Cases[2].Workload
	require.Equal(t, []int{4, 8, 32, 512, 100}, []int{w.Arrivals.Users, w.Prompt.Value, w.Output.Min, w.Output.Max, w.Count})
	require.Equal(t, core.Micros(2_000_000), w.Arrivals.Think)
	require.True(t, w.PerRequest)
	require.Len(t, w.Mix, 1)

	require.Equal(t, []string{"base", "pieces"}, []string{f.Arms[0].Name, f.Arms[1].Name})
	require.Equal(t, "1", f.Arms[1].Env[0].Value.Text)
	require.Equal(t, "0.25", f.Arms[1].Flags[0].Value.Text)

	require.Equal(t, "odd, first, pieces, reply: done_s below 5", f.Expect[0].String())
	require.Equal(t, "first, pieces: decode_tok_s of base above 0.9", f.Expect[1].String())
	require.Equal(t, "closed, base, u4.2: gap_p95_ms within [1, 1000]", f.Expect[2].String())
	require.True(t, f.Expect[0].Bound.Holds(4.9) && !f.Expect[0].Bound.Holds(5))
	require.True(t, f.Expect[1].Bound.Holds(0.91) && !f.Expect[1].Bound.Holds(0.9))
	require.True(t, f.Expect[2].Bound.Holds(1) && !f.Expect[2].Bound.Holds(1001))
}

func TestDefaults(t *testing.T) {
	f, err := Parse("dir/tiny.yaml", []byte(`
machine: m5
cases:
  - name: only
    requests: [{id: 1, prompt: 1_000, output: 2}]
expect:
  - {metric: ttft_s.p50, below: 1e3}
`))
	require.NoError(t, err)
	require.Equal(t, "tiny", f.Name)
	require.Equal(t, Server{}, f.Server)
	require.Equal(t, []World{{Seed: 1, Drafts: DraftsSampled, Rows: 1, Pass: 1, Chunk: 1, Confidence: 1}}, f.Worlds)
	require.Equal(t, "base", f.Arms[0].Name)
	require.Equal(t, 1000, f.Cases[0].Requests[0].Prompt)
	require.Equal(t, "only, base: ttft_s.p50 below 1000", f.Expect[0].String())
}

func TestAliases(t *testing.T) {
	f, err := Parse("a.yaml", []byte(`
machine: m
cases:
  - name: a
    requests: &two
      - {id: x, prompt: &p 7, output: 1}
      - {id: y, prompt: *p, output: 1}
  - {name: b, requests: *two}
`))
	require.NoError(t, err)
	require.Equal(t, f.Cases[0].Requests, f.Cases[1].Requests)
	require.Equal(t, 7, f.Cases[1].Requests[1].Prompt)
}

func TestWindowsLineEnds(t *testing.T) {
	_, err := Parse("a.yaml", []byte("machine: m\r\ncases:\r\n  - name: a\r\n    requests: [{id: x, prompt: 0, output: 1}]\r\n"))
	require.EqualError(t, err, "a.yaml:4:32: prompt is out of range (0); a whole number from 1 to 1073741824")
}

func TestCheckLoads(t *testing.T) {
	f := load(t, "testdata/full.yaml")
	require.NoError(t, Check(f, "box", []string{"chat", "code"}))
	require.EqualError(t, Check(f, "box", []string{"chat"}),
		"testdata/full.yaml:21:72: unknown load of box (code); chat")
	require.ErrorContains(t, Check(f, "box", []string{"code"}), "testdata/full.yaml:20:9: unknown load")
}

// TestShipped loads the scenarios that the project ships.
func TestShipped(t *testing.T) {
	paths, err := filepath.Glob("../../scenarios/*.yaml")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 9)
	names := map[string]string{}
	for _, path := range paths {
		f := load(t, path)
		require.NotEmpty(t, f.About, path)
		require.Empty(t, names[f.Name], path)
		names[f.Name] = path
		require.NoError(t, Check(f, f.Machine, append([]string{"chat", "code"}, replay.Loads...)))
		for _, c := range f.Cases {
			if c.Workload != nil && c.Workload.Prompt.Path != "" {
				_, err := os.Stat(c.Workload.Prompt.Path)
				require.NoError(t, err)
			}
		}
	}
}
