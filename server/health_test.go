package server_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
)

func TestMetricsAndHealth(t *testing.T) {
	r := serve(t, fake.Open(fake.Options{}), nil)
	_, err := r.client.Chat.Completions.New(context.Background(), hello("x", 25))
	require.NoError(t, err)
	resp, err := http.Get(r.url + "/metrics")
	require.NoError(t, err)
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	for _, want := range []string{
		"\ntfsim:generation_tokens_total 25\n", "\nvllm:generation_tokens_total 25\n", "\ntfsim:requests_running 0\n",
		"\nvllm:num_requests_waiting 0\n", "\nvllm:kv_cache_usage_perc 0\n", "\ntfsim:requests_finished_total 1\n", "\ntfsim:time_to_first_token_seconds_count 1\n",
	} {
		require.Contains(t, string(body), want)
	}
	resp, err = http.Get(r.url + "/health")
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	var v map[string]any
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&v))
	require.Equal(t, "ok", v["status"])
	require.Equal(t, false, v["busy"])
}
