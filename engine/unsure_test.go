package engine_test

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
)

// unsure is a device whose drafter tells no probabilities.
type unsure struct {
	*fake.Device
	confidence float64
}

func (d *unsure) Pass(asks []device.Ask, drafts []device.Draft) ([]device.Draft, error) {
	drafts, err := d.Device.Pass(asks, drafts)
	for i := range drafts {
		drafts[i].Confidence = d.confidence
	}
	return drafts, err
}

// Whatever a drafter says of its drafts, replies are what they are and the
// record is whole.
func TestConfidencesThatAreNone(t *testing.T) {
	want := alone(t, ask(1, 50, 60))
	for _, confidence := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -3, 7} {
		for _, rule := range []core.DraftRule{core.RuleEarlier, core.RuleMeasured} {
			d := fake.Open(fake.Options{})
			var file bytes.Buffer
			o := engine.Options{Config: config(d), Record: &file}
			o.Config.Rule = rule
			l, err := engine.Start(&unsure{d, confidence}, o)
			require.NoError(t, err)
			got, _ := whole(t, l, ask(1, 50, 60))
			require.Equal(t, want, got)
			require.NoError(t, l.Drain(context.Background()))
			x, err := engine.Replay(&file, prices, nil)
			require.NoError(t, err)
			require.Empty(t, x.Difference)
			require.True(t, x.Reach.Whole, "%g", confidence)
			require.NoError(t, l.Close())
		}
	}
}
