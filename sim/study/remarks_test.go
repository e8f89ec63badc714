package study_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/result"
	"github.com/tfsim/tfsim/sim/study"
)

func notes(t *testing.T, text string) string {
	var all []string
	for _, e := range play(t, parse(t, text), study.Options{}).Results {
		all = append(all, e.Notes...)
	}
	return strings.Join(all, "\n")
}

const oneRequest = "\ncases: [{name: c, requests: [{id: r, prompt: %d, output: 6}]}]\n"

// A price between what was measured is said to be estimated, one beyond it
// extrapolated; a fitted table's own figures need no remark.
func TestTrust(t *testing.T) {
	plain := "arms: [{name: plain, flags: {no-drafts: true}}]\n"
	for _, c := range []struct {
		machine string
		prompt  int
		want    string
	}{
		{"h200-llamacpp-vulkan", 3000, "estimated"},
		{"h200-llamacpp-vulkan", 100, "extrapolated"},
		{"m5-ultra-512gb", 4096, ""},
		{"m5-ultra-512gb", 3000, "estimated"},
		{"m5-ultra-512gb", 20, "extrapolated"},
	} {
		got := notes(t, "machine: "+c.machine+fmt.Sprintf(oneRequest, c.prompt)+plain)
		if c.want == "" {
			require.Empty(t, got)
			continue
		}
		require.Contains(t, got, "some prices are "+c.want, "%s, %d", c.machine, c.prompt)
	}
	require.Contains(t, notes(t, "machine: large-gpu"+fmt.Sprintf(oneRequest, 128)), "no figures of a drafter")
}

func TestRefusedAndSettingsRemarks(t *testing.T) {
	require.Contains(t, notes(t, `
machine: m5-ultra-512gb
settings: {context: 100}
cases: [{name: c, requests: [{id: a, prompt: 4096, output: 4}, {id: b, prompt: 64, output: 4}]}]
`), "requests refused: 1,")
	require.Contains(t, notes(t, `
machine: m5-ultra-512gb
settings: {TFSIM_STEP_ROWS: 512}
cases: [{name: c, requests: [{id: a, prompt: 4096, output: 4}]}]
`), "TFSIM_STEP_ROWS")
}

// A queue that grows without bound is saturated; one that does not is not.
func TestSaturation(t *testing.T) {
	at := func(rate string) result.Entry {
		return play(t, parse(t, `
machine: m5-ultra-512gb
cases:
  - name: c
    workload: {arrivals: {process: poisson, rate: `+rate+`}, count: 200, prompt: {dist: fixed, value: 512}, output: {dist: fixed, value: 16}, per_request: false}
`), study.Options{}).Results[0]
	}
	require.True(t, at("20").Saturated)
	require.False(t, at("0.1").Saturated)
	require.Empty(t, at("20").Requests)
}

// Identical greedy requests read the same experts: they are faster than mixed
// ones on a machine that has figures for it.
func TestTwinsAreCheaper(t *testing.T) {
	rate := func(like string) float64 {
		d := play(t, parse(t, `
machine: m5-ultra-512gb
settings: {no-drafts: true}
cases: [{name: c, requests: [{id: a, prompt: 64, output: 40}, {id: b, prompt: 64, output: 40`+like+`}]}]
`), study.Options{})
		return d.Results[0].Totals.DecodeRate.Value
	}
	require.Greater(t, rate(", like: a"), 1.05*rate(""))
}

// Goodput counts the requests that keep both targets.
func TestGoodput(t *testing.T) {
	goodput := func(slo string) result.Num {
		d := play(t, parse(t, `
machine: m5-ultra-512gb
settings: {no-drafts: true}
cases:
  - name: c
    `+slo+`
    requests: [{id: quick, prompt: 64, output: 20}, {id: slow, at: 10s, prompt: 32768, output: 20}]
`), study.Options{})
		e := d.Results[0]
		require.InDelta(t, 36, e.Requests[1].TTFT.Value, 2)
		out := e.Totals.GoodputRate
		out.Value *= e.Totals.Wall.Value // requests
		return out
	}
	require.False(t, goodput("").Valid)
	for slo, want := range map[string]float64{
		"slo: {ttft_s: 60}": 2, "slo: {ttft_s: 10}": 1, "slo: {ttft_s: 0.001}": 0,
		"slo: {gap_p95_ms: 1}": 0, "slo: {gap_p95_ms: 100}": 2, "slo: {ttft_s: 10, gap_p95_ms: 100}": 1,
	} {
		require.InDelta(t, want, goodput(slo).Value, 1e-6, slo)
	}
}
