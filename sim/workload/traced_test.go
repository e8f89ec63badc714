package workload

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/tfsim/tfsim/core"
)

// recorded opens a workload that plays a trace of the given text.
func recorded(t testing.TB, text, keys, more string, seed uint64) (*Traced, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return opened(t, path, keys, more, seed)
}

func opened(t require.TestingT, path, keys, more string, seed uint64) (*Traced, error) {
	f := parse(t, "workload: {trace: {file: "+path+keys+"}"+more+"}")
	s, err := Open(f, &f.Cases[0], seed)
	if err != nil {
		return nil, err
	}
	return s.(*Traced), nil
}

// seconds is a BurstGPT trace with a request each second from 100 on, whose
// prompt has as many tokens as requests came so far.
func seconds(n int) string {
	var b strings.Builder
	b.WriteString("Timestamp,Request tokens,Response tokens\n")
	for i := range n {
		b.WriteString(strings.Join([]string{strconv.Itoa(100 + i), strconv.Itoa(i + 1), "5"}, ",") + "\n")
	}
	return b.String()
}

func taken(t require.TestingT, s *Traced) (all []Arrival) {
	for s.Peek() != core.Never {
		at := s.Peek()
		a := s.Next()
		require.Equal(t, at, a.At)
		all = append(all, a)
	}
	require.NoError(t, s.Err())
	return all
}

func TestTracedSpan(t *testing.T) {
	s, err := recorded(t, seconds(50), ", from: 10s, to: 20s, speed: 4, limit: 3", "", 1)
	require.NoError(t, err)
	all := taken(t, s)
	require.Equal(t, []string{"r1", "r2", "r3"}, ids(all))
	for i, a := range all {
		require.Equal(t, core.Micros(i)*250_000, a.At, "from counts as the start, speed makes it denser")
		require.Equal(t, 11+i, a.Prompt)
		require.Equal(t, 5, a.Output)
		require.Equal(t, i, a.Index)
		require.Equal(t, core.Never, a.CancelAt)
	}
	s, err = recorded(t, seconds(50), ", from: 10s, to: 20s", "", 1)
	require.NoError(t, err)
	require.Len(t, taken(t, s), 10, "its end is excluded")
}

// How much is played is of the file, or of what is chosen of it.
func TestTracedPart(t *testing.T) {
	for _, keys := range []string{"", ", to: 1000s", ", limit: 1000"} {
		s, err := recorded(t, seconds(20_000), keys, "", 1)
		require.NoError(t, err)
		require.Less(t, s.Part(), 0.5)
		for range 900 {
			s.Next()
		}
		if keys != "" {
			require.InDelta(t, 0.9, s.Part(), 0.01)
		}
		taken(t, s)
		require.InDelta(t, 1, s.Part(), 0.01)
	}
}

// A sample depends on the seed alone, and a request keeps its text in it.
func TestTracedSample(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	require.NoError(t, os.WriteFile(path, []byte(seconds(400)), 0o600))
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		part := rapid.SampledFrom([]string{"0.1", "0.5", "0.9"}).Draw(t, "part")
		whole, err := opened(t, path, "", "", seed)
		require.NoError(t, err)
		byPrompt := map[int]Arrival{}
		for _, a := range taken(t, whole) {
			byPrompt[a.Prompt] = a
		}
		sampled := func() []Arrival {
			s, err := opened(t, path, ", sample: "+part, "", seed)
			require.NoError(t, err)
			return taken(t, s)
		}
		all := sampled()
		require.Equal(t, all, sampled())
		for _, a := range all {
			of := byPrompt[a.Prompt]
			require.Equal(t, of.At, a.At)
			require.Equal(t, of.Text, a.Text)
		}
		want := map[string]float64{"0.1": 40, "0.5": 200, "0.9": 360}[part]
		require.InDelta(t, want, float64(len(all)), 6*math.Sqrt(400*0.25))
	})
}

func TestTracedWithoutTimes(t *testing.T) {
	const talk = `[{"conversations": [{"from": "human", "value": "12345678"}, {"from": "gpt", "value": "1234"}]}, ` +
		`{"conversations": [{"from": "human", "value": "1234"}, {"from": "gpt", "value": "123456789"}]}]`
	s, err := recorded(t, talk, "", ", arrivals: {process: constant, rate: 2}", 1)
	require.NoError(t, err)
	all := taken(t, s)
	require.Len(t, all, 2)
	require.Equal(t, []core.Micros{0, 500_000}, []core.Micros{all[0].At, all[1].At})
	require.Equal(t, []int{2, 1, 1, 3}, []int{all[0].Prompt, all[0].Output, all[1].Prompt, all[1].Output})
}

// Who gives up is as patient at any speed; traits of the mix and of the
// recording add up.
func TestTracedTraits(t *testing.T) {
	const events = `{"at_us":1000000,"event":"submitted","id":1,"rows":10,"tokens":20}
{"at_us":3000000,"event":"submitted","id":2,"rows":10,"tokens":20}
{"at_us":4000000,"event":"cancelled","id":2}
{"at_us":5000000,"event":"tokens","id":1,"total":7}
{"at_us":5000000,"event":"finished","id":1}
`
	s, err := recorded(t, events, ", speed: 4", ", mix: [{weight: 1, load: code, temperature: 1, draft: false}]", 1)
	require.NoError(t, err)
	all := taken(t, s)
	require.Equal(t, 7, all[0].Output)
	require.Equal(t, core.Micros(500_000), all[1].At)
	require.Equal(t, core.Micros(1_500_000), all[1].CancelAt)
	require.True(t, all[0].NoDraft)
	require.Equal(t, "code", all[0].Load[0])
}

func TestTracedBlocks(t *testing.T) {
	s, err := recorded(t, `{"timestamp": 0, "input_length": 1000, "output_length": 1, "hash_ids": [0, 7]}
{"timestamp": 1, "input_length": 1100, "output_length": 1, "hash_ids": [0, 7, 8]}
{"timestamp": 2, "input_length": 10, "output_length": 1}`, "", "", 1)
	require.NoError(t, err)
	all := taken(t, s)
	require.Len(t, all[0].Blocks, 2)
	require.Equal(t, all[0].Blocks, all[1].Blocks[:2])
	require.NotContains(t, all[1].Blocks, uint64(0))
	require.Nil(t, all[2].Blocks)
}

func TestTracedErrors(t *testing.T) {
	_, err := recorded(t, seconds(5), "", ", arrivals: {process: poisson, rate: 1}", 1)
	require.ErrorContains(t, err, "t.csv has times of its own (burstgpt); leave out arrivals (--rate), speed scales those")
	_, err = recorded(t, "[]", "", "", 1)
	require.ErrorContains(t, err, "has no times (sharegpt); give arrivals a process and a rate")
	_, err = recorded(t, seconds(5), ", from: 10s", "", 1)
	require.ErrorContains(t, err, "no request is played of 5 read; from, to and sample choose them")
	_, err = recorded(t, "Timestamp,Request tokens,Response tokens\n1,0,5\n2,5,0\n3,5,0\n", "", "", 1)
	require.ErrorContains(t, err, "no request is played of 0 read; rows without a prompt, left out: 1; rows without a reply, such as failures, left out: 2; from,")
	_, err = recorded(t, "x\n", "", "", 1)
	require.ErrorContains(t, err, "t.csv:1: no trace of a known format (x);")
	f := parse(t, "workload: {trace: none.csv}")
	_, err = Open(f, &f.Cases[0], 1)
	require.ErrorContains(t, err, "test.yaml:3:33: the trace cannot be read (stat none.csv:")

	s, err := recorded(t, seconds(3000)+"x,1,1\n", "", "", 1)
	require.NoError(t, err)
	for s.Peek() != core.Never {
		s.Next()
	}
	require.ErrorContains(t, s.Err(), "t.csv:3002: Timestamp is no time (x);")
}
