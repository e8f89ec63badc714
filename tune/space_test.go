package tune

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core/settings"
)

// Each value of the space is one that the registry accepts.
func TestSpaceIsTheRegistrys(t *testing.T) {
	s := space(t)
	require.Greater(t, len(s.Dims), 15)
	for i, d := range s.Dims {
		require.Equal(t, "", d.Values[0])
		for _, text := range d.Values {
			var v settings.Values
			require.NoError(t, v.Set(d.Name, text))
			canonical, _ := v.Get(d.Name)
			require.Equal(t, text, canonical)
		}
		if d.Refinable() {
			for _, x := range []float64{d.Min, (d.Min + d.Max) / 3, d.Max} {
				p := s.Default().With(i, d.text(max(x, d.Grain), d.grain(d.Min, d.Max)))
				var v settings.Values
				require.NoError(t, v.Set(d.Name, p[i]))
			}
		}
	}
}

func TestSpaceChoices(t *testing.T) {
	s, err := NewSpace([]string{"decode-share", "TFSIM_STEP_ROWS=100, 200,0100"}, []string{"parallel"})
	require.NoError(t, err)
	require.Len(t, s.Dims, 2)
	require.Equal(t, []string{"", "100", "200"}, s.Dims[1].Values)
	require.False(t, s.Dims[1].Refinable())
	require.True(t, s.Dims[0].Refinable())
	all := space(t)
	fixed, err := NewSpace(nil, []string{"parallel", "--decode-share"})
	require.NoError(t, err)
	require.Len(t, fixed.Dims, len(all.Dims)-2)
	for want, args := range map[string][2][]string{
		`--only decode-shar: unknown setting "decode-shar"; nearest: --decode-share`:                              {{"decode-shar"}},
		`--only decode-share=2: --decode-share="2": want a fraction of at least 0 and under 1`:                    {{"decode-share=2"}},
		`--only parallel: --parallel is named twice`:                                                              {{"parallel=2", "parallel"}},
		`--only --parallel: it is fixed, too`:                                                                     {{"parallel"}, {"parallel"}},
		`--only context: the registry has no values of it to try; give some as context=VALUE,VALUE`:               {{"context"}},
		`--only TF_DSV41_CALIB=default: it does not change the scheduler`:                                         {{"TF_DSV41_CALIB=default"}},
		`--only TF_DSV41_CALIB: the registry has no values of it to try; give some as TF_DSV41_CALIB=VALUE,VALUE`: {{"TF_DSV41_CALIB"}},
	} {
		_, err := NewSpace(args[0], args[1])
		require.EqualError(t, err, want)
	}
}

func TestSensitivityLines(t *testing.T) {
	s := Sensitivity{Name: "--decode-share", At: "0.5", Values: []Moved{
		{Text: "", Cost: 40, Ratio: 40}, {Text: "0.1", Cost: 1.3, Ratio: 1.3}, {Text: "0.25", Cost: 1.01, Ratio: 1.01},
		{Text: "0.5", Cost: 1, Ratio: 1, Same: true}, {Text: "0.75", Cost: 1, Ratio: 1, Same: true}, {Text: "0.9", Cost: 0.9, Ratio: 0.9, Broken: true},
	}}
	require.Equal(t, "--decode-share: 0.25 to 0.75 is flat; unset 40.0× worse, 0.1 30% worse, 0.9 10% better and breaks a constraint", s.String())
	s = Sensitivity{Name: "X", At: "b", Values: []Moved{{Text: "", Ratio: 1, Same: true}, {Text: "a", Ratio: 1}, {Text: "b", Ratio: 1, Same: true}}}
	require.Equal(t, "X: b is like a; unset as good", s.String())
	require.Equal(t, "X: not played, the budget ended", Sensitivity{Name: "X", At: "b"}.String())
}
