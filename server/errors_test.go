package server_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
)

func TestErrors(t *testing.T) {
	r := serve(t, fake.Open(fake.Options{Context: 200}), func(_ *engine.Options, o *server.Options) { o.BodyLimit = 4096 })
	chat := func(more string) string { return `{"messages": [{"role": "user", "content": "x"}], ` + more + `}` }
	for _, k := range []struct {
		path, body, param, code string
		status                  int
		says                    string
	}{
		{"/v1/chat/completions", `{`, "", "", 400, "no JSON object"},
		{"/v1/chat/completions", `null`, "", "", 400, "JSON object"},
		{"/v1/chat/completions", `{} {}`, "", "", 400, "more than one"},
		{"/v1/chat/completions", `[]`, "", "", 400, "of type array"},
		{"/v1/chat/completions", `{"messages": [{"role": "user", "content": "a\u0000b"}]}`, "messages", "", 400, "NUL"},
		{"/v1/completions", `{"prompt": "a\u0000b"}`, "prompt", "", 400, "NUL"},
		{"/tokenize", `{"content": "a\u0000b"}`, "content", "", 400, "NUL"},
		{"/v1/chat/completions", `{}`, "messages", "", 400, "missing"},
		{"/v1/chat/completions", `{"messages": []}`, "messages", "", 400, "at least one"},
		{"/v1/chat/completions", `{"messages": [{"role": "cat", "content": ""}]}`, "messages[0].role", "", 400, "want system"},
		{"/v1/chat/completions", `{"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}`, "messages[0].content", "", 400, "type text"},
		{"/v1/chat/completions", chat(`"temperature": 3`), "temperature", "", 400, "0 to 2"},
		{"/v1/chat/completions", chat(`"temperature": "warm"`), "temperature", "", 400, "want a number"},
		{"/v1/chat/completions", chat(`"max_tokens": 0`), "max_tokens", "", 400, "want a whole number"},
		{"/v1/chat/completions", chat(`"n": 2`), "n", "", 400, "only 1"},
		{"/v1/chat/completions", chat(`"stop": [""]`), "stop", "", 400, "1 to 256"},
		{"/v1/chat/completions", chat(`"priority": "high"`), "priority", "", 400, "background"},
		{"/v1/chat/completions", chat(`"stream_options": {}`), "stream_options", "", 400, "stream: true"},
		{"/v1/chat/completions", chat(`"max_tokns": 5`), "max_tokns", "", 400, "no such field"},
		{"/v1/chat/completions", chat(`"model": "gpt"`), "model", "model_not_found", 404, "has fake"},
		{"/v1/chat/completions", chat(`"max_tokens": 500`), "messages", "context_length_exceeded", 400, "context 200"},
		{"/v1/completions", `{"prompt": [1, 97]}`, "prompt", "", 400, "vocabulary"},
		{"/v1/completions", `{"prompt": ["a", "b"]}`, "prompt", "", 400, "one prompt"},
		{"/v1/completions", `{"prompt": [1], "max_tokens": 500}`, "prompt", "context_length_exceeded", 400, "context 200"},
		{"/v1/completions", `{"prompt": "` + strings.Repeat("x", 5000) + `"}`, "", "", 413, "4096 bytes"},
		{"/detokenize", `{"tokens": [-1]}`, "tokens", "", 400, "want 0 to 96"},
		{"/nowhere", `{}`, "", "", 404, "no such path"},
		{"/v1/models", `{}`, "", "", 405, "takes GET"},
	} {
		status, _, v := r.post(t, k.path, k.body)
		e, ok := v["error"].(map[string]any)
		require.True(t, ok, k.body)
		require.Equal(t, k.status, status, "%s: %v", k.body, e)
		require.Contains(t, e["message"], k.says)
		require.NotRegexp(t, `core:|device:|engine:|json\.|Go `, e["message"])
		require.Equal(t, "invalid_request_error", e["type"])
		for name, want := range map[string]string{"param": k.param, "code": k.code} {
			if want == "" {
				require.Nil(t, e[name], k.body)
			} else {
				require.Equal(t, want, e[name], k.body)
			}
		}
	}
	_, err := r.client.Chat.Completions.New(context.Background(), hello("x", 1000))
	var failure *openai.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, "context_length_exceeded", failure.Code)
	require.Equal(t, 400, failure.StatusCode)
}

// A device that fails for good: 500 before the first token, an error in the
// stream after it.
func TestDeviceFails(t *testing.T) {
	var fails atomic.Bool
	d := fake.Open(fake.Options{OnCall: func(name string) error {
		switch {
		case fails.Load():
			return fmt.Errorf("%w: on fire", device.ErrLost)
		case name == "verify":
			time.Sleep(time.Millisecond)
		}
		return nil
	}})
	r := serve(t, d, nil)
	stream := r.client.Chat.Completions.NewStreaming(context.Background(), hello("x", 3000))
	require.True(t, stream.Next())
	fails.Store(true)
	for stream.Next() {
	}
	require.ErrorContains(t, stream.Err(), "on fire")
	_, err := r.client.Chat.Completions.New(context.Background(), hello("x", 10))
	var failure *openai.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, 500, failure.StatusCode)
	require.Equal(t, "device_failed", failure.Code)
}
