package server_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/require"
)

// Tokens per second of 1, 2 and 4 streams, drafted against undrafted: arms
// take turns, and each cell gives the best of three.
func TestModelDrafts(t *testing.T) {
	if !*demo {
		t.Skip("a minute; only with -demo")
	}
	client, _, _ := pair(t, nil)
	ctx := context.Background()
	rate := func(text string, temperature float64, streams, turn int, draft bool) float64 {
		const tokens = 250
		var all sync.WaitGroup
		started := time.Now()
		for k := range streams {
			p := openai.CompletionNewParams{
				Model: "pair", MaxTokens: openai.Int(tokens), Temperature: openai.Float(temperature), Seed: openai.Int(int64(100*turn + k)),
				Prompt: openai.CompletionNewParamsPromptUnion{OfString: openai.String(fmt.Sprintf("%s %d", text, 10*turn+k))},
			}
			p.SetExtraFields(map[string]any{"draft": draft, "ignore_eos": true})
			all.Go(func() {
				_, err := client.Completions.New(ctx, p)
				require.NoError(t, err)
			})
		}
		all.Wait()
		return float64(streams*tokens) / time.Since(started).Seconds()
	}
	t.Logf("%-22s %10s %10s %8s", "tokens/s", "undrafted", "drafted", "ratio")
	for _, text := range []struct{ kind, begins string }{{"code", "func main() {\n\tx :="}, {"prose", "The following section describes"}} {
		for _, temperature := range []float64{0, 0.8} {
			for _, streams := range []int{1, 2, 4} {
				var plain, drafted float64
				for turn := range 3 {
					plain = max(plain, rate(text.begins, temperature, streams, turn, false))
					drafted = max(drafted, rate(text.begins, temperature, streams, turn, true))
				}
				t.Logf("%-5s %d × temperature %.1f %10.0f %10.0f %8.2f", text.kind, streams, temperature, plain, drafted, drafted/plain)
			}
		}
	}
}
