package server_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
)

func TestCompletion(t *testing.T) {
	r := serve(t, fake.Open(fake.Options{Ends: true}), func(e *engine.Options, _ *server.Options) { e.CacheBytes = 1 << 20 })
	ctx := context.Background()
	p := openai.CompletionNewParams{
		Model: "fake", MaxTokens: openai.Int(30), Temperature: openai.Float(0),
		Prompt: openai.CompletionNewParamsPromptUnion{OfString: openai.String(strings.Repeat("Once upon a time ", 10))},
	}
	first, err := r.client.Completions.New(ctx, p)
	require.NoError(t, err)
	require.Zero(t, first.Usage.PromptTokensDetails.CachedTokens)
	// The same prompt as token ids starts from the kept state.
	_, _, tokens := r.post(t, "/tokenize", fmt.Sprintf(`{"content": %q}`, p.Prompt.OfString.Value))
	ids := make([]int64, 0, 170)
	for _, id := range tokens["tokens"].([]any) {
		ids = append(ids, int64(id.(float64)))
	}
	p.Prompt = openai.CompletionNewParamsPromptUnion{OfArrayOfTokens: ids}
	second, err := r.client.Completions.New(ctx, p)
	require.NoError(t, err)
	require.Equal(t, first.Choices[0].Text, second.Choices[0].Text)
	require.EqualValues(t, len(ids)-1, second.Usage.PromptTokensDetails.CachedTokens)
	_, _, text := r.post(t, "/detokenize", `{"tokens": `+strings.ReplaceAll(fmt.Sprint(ids), " ", ",")+`}`)
	require.Equal(t, strings.Repeat("Once upon a time ", 10), text["content"])

	// A stop text ends it, and is not part of it, whole and as a stream.
	want := first.Choices[0].Text
	at := 12
	p.Stop = openai.CompletionNewParamsStopUnion{OfStringArray: []string{"\x01never", want[at : at+3]}}
	at = strings.Index(want, want[at:at+3])
	stopped, err := r.client.Completions.New(ctx, p)
	require.NoError(t, err)
	require.Equal(t, want[:at], stopped.Choices[0].Text)
	require.EqualValues(t, "stop", stopped.Choices[0].FinishReason)
	require.EqualValues(t, at+3, stopped.Usage.CompletionTokens)
	stream := r.client.Completions.NewStreaming(ctx, p)
	got := ""
	for stream.Next() {
		got += stream.Current().Choices[0].Text
	}
	require.NoError(t, stream.Err())
	require.Equal(t, want[:at], got)
}
