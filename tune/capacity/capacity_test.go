package capacity

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
	"github.com/tfsim/tfsim/tune/goal"
)

const loads = `
name: loads
machine: m5-ultra-512gb
server: {parallel: 4}
cases:
  - {name: listed, requests: [{id: a, at: 0s, prompt: 64, output: 8}]}
  - name: open
    workload: {arrivals: {process: poisson, rate: 0.1}, count: 40, prompt: {dist: fixed, value: 900}, output: {dist: fixed, value: 40}, mix: [{weight: 1}]}
  - name: timed
    workload: {arrivals: {process: poisson, rate: 0.2}, duration: 60s, prompt: {dist: fixed, value: 900}, output: {dist: fixed, value: 40}, mix: [{weight: 1}]}
  - name: people
    workload: {arrivals: {process: closed, users: 3, think: 2s}, count: 40, prompt: {dist: fixed, value: 900}, output: {dist: fixed, value: 40}, mix: [{weight: 1}]}
arms:
  - {name: base}
  - {name: one lane, flags: {parallel: 1}}
`

func probe(t testing.TB, o study.Options) *study.Probe {
	f, err := scenario.Parse("x.yaml", []byte(loads))
	require.NoError(t, err)
	p, err := study.NewProbe(f, o)
	require.NoError(t, err)
	return p
}

func targets(t testing.TB, text string) []goal.Constraint {
	all, err := goal.ParseTargets(text)
	require.NoError(t, err)
	return all
}

func measure(t testing.TB, text string, o Options, so study.Options) *Report {
	if o.Close == 0 {
		o.Close = 0.02
	}
	r, err := Measure(context.Background(), probe(t, so), targets(t, text), o)
	require.NoError(t, err)
	return r
}

// A load that breaks from some point on is found to what was asked for, from
// any start.
func TestBisectionFindsTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Float64Range(0.01, 100).Draw(t, "limit")
		start := rapid.Float64Range(0.05, 20).Draw(t, "start")
		whole := rapid.Bool().Draw(t, "whole")
		s := scale{whole: whole, close: 0.01}
		if whole {
			start, limit = s.round(start), s.round(limit)
		}
		l, err := s.find(start, func(load float64) (cause, error) {
			if load > limit {
				return cause{why: "over"}, nil
			}
			return cause{}, nil
		})
		require.NoError(t, err)
		require.LessOrEqual(t, l.held, limit)
		require.Greater(t, l.broke, limit)
		require.Equal(t, "over", l.why)
		if whole {
			require.Equal(t, l.held+1, l.broke)
		} else {
			require.LessOrEqual(t, l.broke, l.held*1.0101)
		}
	})
}

func TestBisectionEnds(t *testing.T) {
	always := func(why string) limit {
		l, err := scale{close: 0.01}.find(1, func(float64) (cause, error) { return cause{why: why}, nil })
		require.NoError(t, err)
		return l
	}
	require.Equal(t, limit{held: 4096}, always(""))
	require.Equal(t, 0.0, always("broken").held)
	l, err := scale{whole: true}.find(3, func(float64) (cause, error) { return cause{why: "broken"}, nil })
	require.NoError(t, err)
	require.Equal(t, limit{broke: 1, why: "broken"}, l)
	no := errors.New("no")
	_, err = scale{close: 0.01}.find(1, func(float64) (cause, error) { return cause{}, no })
	require.ErrorIs(t, err, no)
}

// Four lanes take more than one, and what breaks is named.
func TestMeasure(t *testing.T) {
	r := measure(t, "ttft_s.p95 <= 5", Options{Seeds: 3}, study.Options{Cases: []string{"open", "people"}})
	require.Len(t, r.Results, 4)
	for i, c := range []struct{ name, arm, unit string }{
		{"open", "base", "requests/s"}, {"open", "one lane", "requests/s"}, {"people", "base", "users"}, {"people", "one lane", "users"},
	} {
		e := r.Results[i]
		require.Equal(t, []string{c.name, c.arm, c.unit}, []string{e.Case, e.Arm, e.Unit})
		require.Len(t, e.Seeds, 3)
		require.NotEmpty(t, e.LimitedBy)
		require.Greater(t, e.Capacity.Value, 0.0)
	}
	require.Less(t, r.Results[1].Capacity.Value, r.Results[0].Capacity.Value)
	require.Less(t, r.Results[1].RatioCI95[1].Value, 1.0)
	var out bytes.Buffer
	require.NoError(t, r.Write(&out))
	require.Contains(t, out.String(), "open, requests/s")
}

// Saturation breaks a target that is met: nothing is printed over it.
func TestSaturationBreaks(t *testing.T) {
	r := measure(t, "gap_ms.p50 <= 100000", Options{Seeds: 2}, study.Options{Cases: []string{"open"}, Arms: []string{"base"}})
	require.Equal(t, []Cause{{"saturated", 2}}, r.Results[0].LimitedBy)
	require.False(t, r.Results[0].AtLeast)
}

func TestNothingHolds(t *testing.T) {
	r := measure(t, "ttft_s.p50 <= 0.001", Options{Seeds: 2}, study.Options{Cases: []string{"people"}, Arms: []string{"base"}})
	require.Equal(t, 0.0, r.Results[0].Capacity.Value)
	require.Equal(t, []Cause{{"ttft_s.p50 <= 0.001", 2}}, r.Results[0].LimitedBy)
	require.Contains(t, r.Warnings, "people, arm base: no load held, down to 1 user")
	// At a rate so low that no request arrives, there is no figure to break.
	r = measure(t, "ttft_s.p50 <= 0.001", Options{Seeds: 2}, study.Options{Cases: []string{"timed"}, Arms: []string{"base"}})
	require.Equal(t, []Cause{{"ttft_s.p50 <= 0.001", 2}}, r.Results[0].LimitedBy)
	require.Regexp(t, `^timed, arm base: no load held, down to 0\.0\d+ requests/s$`, r.Warnings[0])
}

func TestWorkersDoNotMatter(t *testing.T) {
	of := func(workers int) string {
		data, err := json.Marshal(measure(t, "done_s.mean <= 10", Options{Seeds: 3, Workers: workers}, study.Options{}))
		require.NoError(t, err)
		return string(data)
	}
	require.Equal(t, of(1), of(4))
}

func TestErrorsAndInterrupts(t *testing.T) {
	_, err := Measure(context.Background(), probe(t, study.Options{Cases: []string{"listed"}}), targets(t, "wall_s <= 3"), Options{Seeds: 1})
	require.ErrorContains(t, err, "no case has a workload")
	_, err = Measure(context.Background(), probe(t, study.Options{}), targets(t, "wall_s in 'listed' <= 3"), Options{Seeds: 1})
	require.EqualError(t, err, `wall_s in 'listed': no workload in a case "listed"; the cases are ["open" "timed" "people"]`)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Measure(ctx, probe(t, study.Options{}), targets(t, "ttft_s.p95 <= 5"), Options{Seeds: 4, Close: 0.02, Workers: 1, Progress: func(done, _ int) {
		if done == 6 {
			cancel()
		}
	}})
	require.NoError(t, err)
	require.Len(t, r.Results[0].Seeds, 4)
	require.Len(t, r.Results[3].Seeds, 0)
	require.Contains(t, r.Warnings, "interrupted: figures are of the seeds that were done")
}
