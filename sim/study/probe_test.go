package study_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
)

const probed = `
machine: m5-ultra-512gb
server: {parallel: 4}
settings: {TFSIM_STEP_ROWS: 2048}
worlds: [{name: cool, seed: 5}, {name: noisy, seed: 9, noise: 0.1}]
cases:
  - {name: two, requests: [{id: a, at: 0s, prompt: 9000, output: 40}, {id: b, at: 1s, prompt: 64, output: 40}]}
  - {name: few, workload: {arrivals: {process: poisson, rate: 0.5}, count: 20, prompt: {dist: fixed, value: 500}, output: {dist: fixed, value: 20}, mix: [{weight: 1}]}}
arms:
  - {name: base}
  - {name: share, flags: {decode-share: 0.25}}
`

// A probe gives what the whole study gives, cell by cell and seed by seed.
func TestProbePlaysAsTheStudy(t *testing.T) {
	f := parse(t, probed)
	p, err := study.NewProbe(f, study.Options{})
	require.NoError(t, err)
	require.Len(t, p.Places(), 4)
	require.Len(t, p.Arms(), 2)
	seed := uint64(100)
	for place, at := range p.Places() {
		for i, arm := range p.Arms() {
			got, err := p.Play(context.Background(), place, arm, study.Trial{Seed: seed - at.World.Seed})
			require.NoError(t, err)
			d := play(t, f, study.Options{Seed: &seed})
			want := d.Results[place*2+i]
			require.Equal(t, want.Case, at.Case.Name)
			require.Equal(t, want.Arm, arm.Name())
			require.Equal(t, want.Run, got.Run)
		}
	}
}

// Settings come over the file's, those of the options over all.
func TestProbeSetup(t *testing.T) {
	f := parse(t, probed)
	p, err := study.NewProbe(f, study.Options{Set: []study.Assignment{{Name: "parallel", Text: "2"}}})
	require.NoError(t, err)
	same := func(set ...study.Assignment) study.Sameness {
		s, err := p.Setup("x", set)
		require.NoError(t, err)
		return s.Sameness()
	}
	share := study.Assignment{Name: "decode-share", Text: "0.25"}
	require.Equal(t, p.Arms()[0].Sameness(), same())
	require.Equal(t, p.Arms()[1].Sameness(), same(share))
	require.Equal(t, same(share), same(share, study.Assignment{Name: "TF_DSV41_PREFILL_PIECES", Text: "1"}))
	require.NotEqual(t, same(), same(share))
	require.NotEqual(t, same(), same(study.Assignment{Name: "TF_DSV41_CALIB", Text: "measure"}))
	require.Equal(t, same(), same(study.Assignment{Name: "parallel", Text: "3"}), "what is fixed wins")
	s, err := p.Setup("x", []study.Assignment{share})
	require.NoError(t, err)
	require.Equal(t, []string{"TFSIM_STEP_ROWS=2048"}, s.Values.Environment())
	_, err = p.Setup("x", []study.Assignment{{Name: "decode-share", Text: "2"}})
	require.ErrorContains(t, err, `--decode-share="2": want`)
}

// A case may be played with other arrivals.
func TestProbeTrial(t *testing.T) {
	f := parse(t, probed)
	p, err := study.NewProbe(f, study.Options{Cases: []string{"few"}})
	require.NoError(t, err)
	slow := *p.Places()[0].Case
	load := *slow.Workload
	load.Arrivals = scenario.Arrivals{Process: scenario.Poisson, Rate: 0.05}
	slow.Workload = &load
	was, err := p.Play(context.Background(), 0, p.Arms()[0], study.Trial{})
	require.NoError(t, err)
	is, err := p.Play(context.Background(), 0, p.Arms()[0], study.Trial{Case: &slow})
	require.NoError(t, err)
	require.Greater(t, is.Totals.Wall.Value, 5*was.Totals.Wall.Value)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = p.Play(ctx, 0, p.Arms()[0], study.Trial{})
	require.ErrorIs(t, err, context.Canceled)
}
