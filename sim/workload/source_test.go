package workload

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/random"
	"github.com/tfsim/tfsim/sim/scenario"
)

// parse reads a scenario with one case of the given body.
func parse(t require.TestingT, body string) *scenario.File {
	f, err := scenario.Parse("test.yaml", []byte("machine: m\ncases:\n  - {name: c, "+body+"}\n"))
	require.NoError(t, err)
	return f
}

func source(t require.TestingT, body string, seed uint64) Source {
	f := parse(t, body)
	s, err := Open(f, &f.Cases[0], seed)
	require.NoError(t, err)
	return s
}

// drain takes all arrivals of a source, each of which ends after service.
func drain(s Source, service core.Micros) (out []Arrival) {
	type end struct {
		index int
		at    core.Micros
	}
	var ends []end
	for {
		for len(ends) > 0 && ends[0].at <= s.Peek() {
			s.Finished(ends[0].index, ends[0].at)
			ends = ends[1:]
		}
		if s.Peek() == core.Never {
			return out
		}
		a := s.Next()
		out = append(out, a)
		ends = append(ends, end{a.Index, a.At + service})
	}
}

func ids(all []Arrival) (out []string) {
	for _, a := range all {
		out = append(out, a.ID)
	}
	return out
}

const lengths1 = "prompt: {dist: fixed, value: 8}, output: {dist: fixed, value: 4}"

func TestListedIsSortedByTimeThenFile(t *testing.T) {
	all := drain(source(t, `requests: [
	  {id: d, at: 2s, prompt: 5, output: 5}, {id: a, at: 1s, prompt: 1, output: 1, cancel_at: 90s},
	  {id: b, at: 1s, prompt: 5, output: 2, like: d, priority: background, draft: false, temperature: 1},
	  {id: c, at: 500ms, prompt: 64, output: 10, load: [chat, code], turn_at: 7, prefix: {key: k, tokens: 60}}]`, 1), 0)
	require.Equal(t, []string{"c", "a", "b", "d"}, ids(all))
	c, a, b, d := all[0], all[1], all[2], all[3]
	require.Equal(t, Arrival{
		At: 500_000, Index: 3, ID: "c", Prompt: 64, Output: 10, Load: [2]string{"chat", "code"}, TurnAt: 7,
		CancelAt: core.Never, PrefixKey: "k", PrefixTokens: 60, Prefix: random.Hash("k"), Text: c.Text,
	}, c)
	require.Equal(t, core.Micros(90_000_000), a.CancelAt)
	require.True(t, b.Background && b.NoDraft)
	require.Equal(t, d.Text, b.Text, "like shares the text")
	require.NotEqual(t, a.Text, b.Text)
}

func TestConstant(t *testing.T) {
	all := drain(source(t, "workload: {arrivals: {process: constant, rate: 3}, count: 4, "+lengths1+"}", 1), 0)
	require.Equal(t, []string{"r1", "r2", "r3", "r4"}, ids(all))
	for i, at := range []core.Micros{0, 333_333, 666_667, 1_000_000} {
		require.Equal(t, at, all[i].At)
	}
}

func TestDurationExcludesItsEnd(t *testing.T) {
	all := drain(source(t, "workload: {arrivals: {process: constant, rate: 2}, duration: 2s, "+lengths1+"}", 1), 0)
	require.Len(t, all, 4)
}

func TestGapMoments(t *testing.T) {
	for _, tc := range []struct {
		name, arrivals string
		mean, cv       float64
	}{
		{"poisson", "{process: poisson, rate: 60}", 1.0 / 60, 1},
		{"poisson at a high rate", "{process: poisson, rate: 300000}", 1.0 / 300000, 1},
		{"bursty", "{process: gamma, rate: 2, cv: 3}", 0.5, 3},
		{"even", "{process: gamma, rate: 2, cv: 0.25}", 0.5, 0.25},
		{"gamma as poisson", "{process: gamma, rate: 2, cv: 1}", 0.5, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := source(t, "workload: {arrivals: "+tc.arrivals+", count: 200000, "+lengths1+"}", 7)
			var gaps []float64
			last := core.Micros(0)
			for s.Peek() != core.Never {
				a := s.Next()
				gaps = append(gaps, float64(a.At-last)/1e6)
				last = a.At
			}
			mean, dev := stat.MeanStdDev(gaps, nil)
			require.InEpsilon(t, tc.mean, mean, 0.03)
			require.InEpsilon(t, tc.cv, dev/mean, 0.05)
		})
	}
}

func TestLengthDistributions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lengths.txt")
	require.NoError(t, os.WriteFile(path, []byte("# measured\n10\n\n20 # twice\n20\n"), 0o600))
	sample := func(dist string) []float64 {
		s := source(t, "workload: {arrivals: {process: constant, rate: 1}, count: 100000, output: {dist: fixed, value: 1}, prompt: "+dist+"}", 3)
		var out []float64
		for s.Peek() != core.Never {
			out = append(out, float64(s.Next().Prompt))
		}
		return out
	}
	at := func(x []float64, p float64) float64 {
		x = append([]float64(nil), x...)
		stat.SortWeighted(x, nil)
		return stat.Quantile(p, stat.Empirical, x, nil)
	}
	u := sample("{dist: uniform, min: 32, max: 512}")
	require.InEpsilon(t, 272, stat.Mean(u, nil), 0.01)
	require.Equal(t, 32.0, at(u, 0))
	require.Equal(t, 512.0, at(u, 1))
	l := sample("{dist: lognormal, median: 900, p95: 8000, max: 131072}")
	require.InEpsilon(t, 900, at(l, 0.5), 0.02)
	require.InEpsilon(t, 8000, at(l, 0.95), 0.03)
	require.LessOrEqual(t, at(l, 1), 131072.0)
	clamped := sample("{dist: lognormal, median: 900, p95: 8000, max: 1000}")
	require.Equal(t, 1000.0, at(clamped, 1))
	e := sample("{dist: file, path: " + path + "}")
	require.InEpsilon(t, 50.0/3, stat.Mean(e, nil), 0.01)
}

func TestLengthFileErrors(t *testing.T) {
	dir := t.TempDir()
	for body, want := range map[string]string{
		"10\nten\n": "l.txt:2:1: not a length (\"ten\"); one whole number a line from 1 to 1073741824",
		"0\n":       "l.txt:1:1: not a length",
		"# none\n":  "l.txt:1:1: no lengths (empty)",
	} {
		path := filepath.Join(dir, "l.txt")
		require.NoError(t, os.WriteFile(path, []byte(body), 0o600))
		f := parse(t, "workload: {arrivals: {process: constant, rate: 1}, count: 1, output: {dist: fixed, value: 1}, prompt: {dist: file, path: "+path+"}}")
		_, err := Open(f, &f.Cases[0], 1)
		require.ErrorContains(t, err, want)
		require.NoError(t, os.Remove(path))
		_, err = Open(f, &f.Cases[0], 1)
		require.ErrorContains(t, err, "test.yaml:3:136: the file of lengths cannot be read")
	}
}

func TestMixWeights(t *testing.T) {
	s := source(t, `workload: {arrivals: {process: constant, rate: 1}, count: 40000, prompt: {dist: fixed, value: 8}, output: {dist: fixed, value: 4},
	  mix: [{weight: 3}, {weight: 1, load: code, temperature: 1, priority: background, prefix: {key: doc, tokens: 100}}]}`, 5)
	code := 0
	for s.Peek() != core.Never {
		a := s.Next()
		if a.Load[0] == "code" {
			code++
			require.True(t, a.Background && a.Temperature == 1)
			require.Equal(t, 8, a.PrefixTokens, "a prefix is no longer than its prompt")
		}
	}
	require.InEpsilon(t, 10000, code, 0.05)
}

func TestClosedLoop(t *testing.T) {
	body := "workload: {arrivals: {process: closed, users: 2, think: 1s}, count: 6, " + lengths1 + "}"
	s := source(t, body, 1)
	a, b := s.Next(), s.Next()
	require.Equal(t, []string{"u1.1", "u2.1"}, []string{a.ID, b.ID})
	require.Equal(t, core.Never, s.Peek(), "both users wait")
	s.Finished(b.Index, 4_000_000)
	s.Finished(b.Index, 9_000_000)
	s.Finished(77, 9_000_000)
	require.Equal(t, core.Micros(5_000_000), s.Peek())
	s.Finished(a.Index, 4_500_000)
	c := s.Next()
	require.Equal(t, "u2.2", c.ID)
	require.Equal(t, core.Micros(5_500_000), s.Peek())
	require.Equal(t, "u1.2", s.Next().ID)

	all := drain(source(t, body, 1), 500_000)
	require.Len(t, all, 6)
	require.Equal(t, core.Micros(3_000_000), all[5].At)
	timed := drain(source(t, "workload: {arrivals: {process: closed, users: 2, think: 1s}, duration: 3s, "+lengths1+"}", 1), 500_000)
	require.Equal(t, []string{"u1.1", "u2.1", "u1.2", "u2.2"}, ids(timed))
}

// TestClosedRequestsDoNotDependOnService holds that arms see the same
// requests, however fast they serve them.
func TestClosedRequestsDoNotDependOnService(t *testing.T) {
	body := `workload: {arrivals: {process: closed, users: 3, think: 1s}, count: 30,
	  prompt: {dist: uniform, min: 1, max: 100000}, output: {dist: uniform, min: 1, max: 1000}}`
	byID := map[string]Arrival{}
	for _, a := range drain(source(t, body, 9), 10) {
		byID[a.ID] = a
	}
	s := source(t, body, 9)
	s.Next()
	for range 2 { // the first user's request never ends
		a := s.Next()
		s.Finished(a.Index, 77)
	}
	for s.Peek() != core.Never {
		a := s.Next()
		if same, ok := byID[a.ID]; ok {
			require.Equal(t, same.Prompt, a.Prompt)
			require.Equal(t, same.Text, a.Text)
		}
		s.Finished(a.Index, a.At+5)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	body := `workload: {arrivals: {process: gamma, rate: 60, cv: 2}, count: 1000000000,
	  prompt: {dist: lognormal, median: 900, p95: 8000}, output: {dist: uniform, min: 1, max: 1000}}`
	s := source(t, body, 1)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range 200_000 {
		s.Next()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(1<<20))
	require.LessOrEqual(t, testing.AllocsPerRun(1000, func() { s.Next() }), 2.0, "the text of the id")
	runtime.KeepAlive(s)
}

func TestEveryProcessOfTheFormatIsRegistered(t *testing.T) {
	for _, name := range []string{scenario.Constant, scenario.Poisson, scenario.Gamma, scenario.Closed} {
		s, err := Open(&scenario.File{}, &scenario.Case{Workload: &scenario.Workload{
			Arrivals: scenario.Arrivals{Process: name, Rate: 1, CV: 1, Users: 1}, Count: 1,
			Prompt: scenario.Lengths{Dist: scenario.Fixed, Value: 1}, Output: scenario.Lengths{Dist: scenario.Fixed, Value: 1},
			Mix: []scenario.Mix{scenario.PlainMix(scenario.Pos{})},
		}}, 1)
		require.NoError(t, err)
		require.NotEqual(t, core.Never, s.Peek(), name)
	}
}

func TestSourcesProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arrivals := rapid.SampledFrom([]string{
			"{process: constant, rate: 7}", "{process: poisson, rate: 50000}",
			"{process: gamma, rate: 3, cv: 5}", "{process: closed, users: 3, think: 10ms}",
		}).Draw(t, "arrivals")
		seed := rapid.Uint64().Draw(t, "seed")
		service := core.Micros(rapid.IntRange(0, 100_000).Draw(t, "service"))
		body := "workload: {arrivals: " + arrivals + `, count: 50,
		  prompt: {dist: lognormal, median: 2, p95: 400, max: 500}, output: {dist: uniform, min: 3, max: 5}, mix: [{weight: 1}, {weight: 2, load: code}]}`
		all := drain(source(t, body, seed), service)
		if len(all) != 50 {
			t.Fatalf("%d arrivals", len(all))
		}
		seen := map[string]bool{}
		for i, a := range all {
			if i > 0 && a.At < all[i-1].At {
				t.Fatalf("arrival %d at %d after one at %d", i, a.At, all[i-1].At)
			}
			if seen[a.ID] || a.Index != i || a.Prompt < 1 || a.Prompt > 500 || a.Output < 3 || a.Output > 5 {
				t.Fatalf("arrival %d: %+v", i, a)
			}
			seen[a.ID] = true
		}
		require.Equal(t, all, drain(source(t, body, seed), service), "same seed, same arrivals")
	})
}

func TestListedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.IntRange(0, 5), 1, 20).Draw(t, "times")
		var requests []scenario.Request
		for i, at := range times {
			requests = append(requests, scenario.Request{ID: string(rune('a' + i)), At: core.Micros(at), Prompt: 1, Output: 1})
		}
		all := drain(newListed(requests, 1), 0)
		require.Len(t, all, len(times))
		for i := 1; i < len(all); i++ {
			a, b := all[i-1], all[i]
			require.True(t, a.At < b.At || a.At == b.At && a.Index < b.Index)
		}
	})
}

// TestGolden pins the bytes that every platform must give.
func TestGolden(t *testing.T) {
	require.Equal(t, uint64(0x7630dd8665158b07), uint64(random.New(1, "text").Sub(0)))
	all := drain(source(t, `workload: {arrivals: {process: gamma, rate: 2, cv: 3}, count: 500,
	  prompt: {dist: lognormal, median: 900, p95: 8000, max: 131072}, output: {dist: uniform, min: 32, max: 512}}`, 1), 0)
	sum := uint64(0)
	for _, a := range all {
		sum = uint64(random.Stream(sum).Sub(uint64(a.At)*3 ^ uint64(a.Prompt)*5 ^ uint64(a.Output)*7))
	}
	require.Equal(t, uint64(0x19892910b6556cd5), sum)
}

func TestLikeChainSharesOneText(t *testing.T) {
	all := drain(source(t, `requests: [{id: a, prompt: 1, output: 1, like: b}, {id: b, prompt: 1, output: 1, like: d},
	  {id: c, prompt: 1, output: 1}, {id: d, prompt: 1, output: 1}, {id: e, prompt: 1, output: 1, like: a}]`, 1), 0)
	text := func(i int) uint64 { return all[i].Text }
	require.Equal(t, []uint64{text(3), text(3), text(3)}, []uint64{text(0), text(1), text(4)})
	require.NotEqual(t, text(2), text(3))
}

// A user whose request is refused goes on after a second at least, so that
// time goes on.
func TestRefusedUsersWait(t *testing.T) {
	s := source(t, "workload: {arrivals: {process: closed, users: 1, think: 0s}, duration: 3s, "+lengths1+"}", 1)
	var at []core.Micros
	for s.Peek() != core.Never {
		a := s.Next()
		at = append(at, a.At)
		s.Finished(a.Index, a.At)
	}
	require.Equal(t, []core.Micros{0, 1e6, 2e6}, at)
}
