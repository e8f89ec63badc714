package scenario

import (
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/trace"
)

const traced = "machine: m\ncases:\n  - name: c\n    workload: "

func TestTrace(t *testing.T) {
	f, err := Parse("dir/x.yaml", []byte(traced+"{trace: a.csv}\n"))
	require.NoError(t, err)
	w := f.Cases[0].Workload
	require.Equal(t, &Trace{
		Path: "dir/a.csv", PathPos: Pos{4, 23}, Speed: 1, To: core.Never, Sample: 1, BytesPerToken: 4,
	}, w.Trace)
	require.False(t, w.PerRequest)
	require.Equal(t, "chat", w.Mix[0].Load.Names[0])

	f, err = Parse("x.yaml", []byte(traced+`
      trace: {file: /a.json, format: sharegpt, speed: 2.5, from: 1m, to: 1h, sample: 0.25, limit: 7, bytes_per_token: 3.5}
      arrivals: {process: poisson, rate: 2}
      mix: [{weight: 1, load: code}]
      per_request: true
`))
	require.NoError(t, err)
	w = f.Cases[0].Workload
	require.Equal(t, &Trace{
		Path: "/a.json", PathPos: w.Trace.PathPos, Format: trace.ShareGPT, Speed: 2.5, From: 60e6, To: 3600e6,
		Sample: 0.25, Limit: 7, BytesPerToken: 3.5,
	}, w.Trace)
	require.True(t, w.PerRequest)
	require.Equal(t, Poisson, w.Arrivals.Process)
	require.Equal(t, "code", w.Mix[0].Load.Names[0])
}

// What is wrong with a trace breaks the schema, too, but for what spans keys.
func TestTraceErrors(t *testing.T) {
	s := schemaOf(t)
	for _, c := range []struct {
		text, want string
		spans      bool
	}{
		{"{trace: [a]}", "x.yaml:4:23: trace is not a text", false},
		{"{trace: a, count: 3}", "x.yaml:4:26: unknown key of a workload of a trace (count); accepted are trace, arrivals, mix or per_request", false},
		{"{trace: {format: azure}}", "a trace lacks a key (file); needed are file", false},
		{"{trace: {file: a, speed: 0}}", "speed is out of range (0); a number over 0 and at most 1e+06", false},
		{"{trace: {file: a, sample: 2}}", "sample is out of range (2)", false},
		{"{trace: {file: a, limit: 0}}", "limit is out of range (0)", false},
		{"{trace: {file: a, from: 5}}", "from has no unit (5)", false},
		{"{trace: {file: a, format: csv}}", "unknown format (csv); azure, burstgpt, mooncake, sharegpt, events or record", false},
		{"{trace: a, arrivals: {process: closed, users: 2}}", "a closed workload of a trace (closed); constant, poisson or gamma", true},
		{"{trace: {file: a, from: 5s, to: 5s}}", "to is not after from (5s)", true},
	} {
		_, err := Parse("x.yaml", []byte(traced+c.text+"\n"))
		require.ErrorContains(t, err, c.want)
		var doc any
		require.NoError(t, yaml.Unmarshal([]byte(traced+c.text), &doc))
		if err := conforms(s, s, doc, ""); c.spans {
			require.NoError(t, err, c.text)
		} else {
			require.Error(t, err, c.text)
		}
	}
	var doc any
	require.NoError(t, yaml.Unmarshal([]byte(traced+"{trace: {file: a, speed: 2}, per_request: true}"), &doc))
	require.NoError(t, conforms(s, s, doc, ""))
}

func TestTraceCheck(t *testing.T) {
	for want, change := range map[string]func(*Trace){
		"":        func(*Trace) {},
		"speed 0": func(t *Trace) { t.Speed = 0 }, "sample 1.5": func(t *Trace) { t.Sample = 1.5 },
		"bytes-per-token 0": func(t *Trace) { t.BytesPerToken = 0 }, "limit -1": func(t *Trace) { t.Limit = -1 },
		"from is before the trace's first request": func(t *Trace) { t.From = -1 },
		"to is not after from":                     func(t *Trace) { t.From, t.To = 5, 5 },
	} {
		x := WholeTrace("a")
		change(&x)
		if err := x.Check(); want != "" {
			require.ErrorContains(t, err, want)
		} else {
			require.NoError(t, err)
		}
	}
}
