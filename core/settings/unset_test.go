package settings

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
)

// What unset settings stand for over a base, set, gives the base again.
func TestUnset(t *testing.T) {
	model := core.DefaultConfig()
	model.Lanes, model.Context, model.LaunchRows = 4, 8192, 64
	model.Rule, model.PlainStreams = core.RuleMeasured, 0
	model.Steps, model.StepRows, model.PromptShare = true, 256, 500_000
	plain := core.DefaultConfig()
	plain.Lanes, plain.LaunchRows, plain.Drafts = 2, 64, false
	for _, base := range []core.Config{model, plain} {
		var v Values
		for name, text := range Unset(base) {
			require.NoError(t, v.SetFrom(name, text, "base"), name)
		}
		c, _, err := v.Config(base)
		require.NoError(t, err)
		require.Equal(t, base, c)
	}
	require.Equal(t, map[string]string{
		"--parallel": "4", "--context": "8192", "TFSIM_DRAFT_RULE": "measured", "TFSIM_STEP_ROWS": "256",
		"TF_DSV41_PREFILL_PIECES": "1", "TENSORFOLD_PREFILL_SHARE": "0.5",
	}, Unset(model))
}
