package server_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/engine"
)

// Two arrivals of one long prompt at once: the second waits for the state of
// the first and starts from it.
func TestModelPrefixWait(t *testing.T) {
	client, _, _ := pair(t, func(o *engine.Options) { o.CacheBytes = 1 << 26 })
	p := piece(0)
	p.Prompt = openai.CompletionNewParamsPromptUnion{OfString: openai.String(strings.Repeat(beginnings[0]+" ", 80))}
	var replies [2]*openai.Completion
	var both sync.WaitGroup
	for i := range replies {
		both.Go(func() {
			var err error
			replies[i], err = client.Completions.New(context.Background(), p)
			require.NoError(t, err)
		})
	}
	both.Wait()
	first, second := replies[0], replies[1]
	if first.Usage.PromptTokensDetails.CachedTokens > 0 {
		first, second = second, first
	}
	require.Zero(t, first.Usage.PromptTokensDetails.CachedTokens)
	require.Equal(t, second.Usage.PromptTokens-1, second.Usage.PromptTokensDetails.CachedTokens)
	require.Greater(t, second.Usage.PromptTokens, int64(500))
	if runtime.GOARCH == "amd64" {
		require.Equal(t, about(t, first.RawJSON()).SHA, about(t, second.RawJSON()).SHA)
	}
}
