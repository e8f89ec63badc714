package study_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/sim/scenario"
	"github.com/tfsim/tfsim/sim/study"
)

// BenchmarkHundredThousand plays 100,000 requests on one core.
func BenchmarkHundredThousand(b *testing.B) {
	f, err := scenario.Load("../../scenarios/hundred-thousand.yaml")
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, err := study.Play(context.Background(), f, study.Options{Workers: 1})
		require.NoError(b, err)
	}
}
