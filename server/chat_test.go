package server_test

import (
	"context"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
)

func TestChat(t *testing.T) {
	r := serve(t, fake.Open(fake.Options{}), nil)
	ctx := context.Background()
	whole, err := r.client.Chat.Completions.New(ctx, hello("How are you?", 40))
	require.NoError(t, err)
	require.Len(t, whole.Choices, 1)
	require.Equal(t, "length", whole.Choices[0].FinishReason)
	require.Len(t, whole.Choices[0].Message.Content, 40)
	require.EqualValues(t, 40, whole.Usage.CompletionTokens)
	require.Equal(t, whole.Usage.TotalTokens, whole.Usage.PromptTokens+40)
	a := about(t, whole.RawJSON())
	require.True(t, a.Exact)
	require.Len(t, a.SHA, 64)
	require.Positive(t, a.Accepted)

	// The same as a stream, undrafted, and beside others: the same tokens.
	p := hello("How are you?", 40)
	p.StreamOptions.IncludeUsage = openai.Bool(true)
	p.SetExtraFields(map[string]any{"draft": false})
	stream := r.client.Chat.Completions.NewStreaming(ctx, p)
	var text, sha string
	var usage int64
	ends := 0
	for stream.Next() {
		c := stream.Current()
		if len(c.Choices) == 0 {
			usage = c.Usage.CompletionTokens
			continue
		}
		text += c.Choices[0].Delta.Content
		if c.Choices[0].FinishReason != "" {
			ends++
			b := about(t, c.RawJSON())
			sha = b.SHA
			require.Zero(t, b.Drafted)
		}
	}
	require.NoError(t, stream.Err())
	require.Equal(t, whole.Choices[0].Message.Content, text)
	require.Equal(t, a.SHA, sha)
	require.EqualValues(t, 40, usage)
	require.Equal(t, 1, ends)
}
