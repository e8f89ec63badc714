package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

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

// slow is a device that comes back when it is let.
type slow struct {
	*fake.Device
	gate chan error
}

func (d *slow) Restart(ctx context.Context) error {
	if err := <-d.gate; err != nil {
		return err
	}
	return d.Device.Restart(ctx)
}

// While the device is brought back its requests wait, and health says so; one
// that has failed is no health.
func TestHealthOfALostDevice(t *testing.T) {
	d := &slow{fake.Open(fake.Options{}), make(chan error)}
	r := serve(t, d, nil)
	health := func(code int, status string) {
		t.Helper()
		require.Eventually(t, func() bool {
			resp, err := http.Get(r.url + "/health")
			require.NoError(t, err)
			defer func() { _ = resp.Body.Close() }()
			var v map[string]any
			require.NoError(t, json.NewDecoder(resp.Body).Decode(&v))
			return resp.StatusCode == code && v["status"] == status
		}, 20*time.Second, time.Millisecond, "%d %s", code, status)
	}
	ended := make(chan error, 1)
	ask := func() {
		_, err := r.client.Chat.Completions.New(context.Background(), hello("x", 25))
		ended <- err
	}
	health(http.StatusOK, "ok")
	d.Lose()
	go ask()
	health(http.StatusOK, "restarting")
	d.gate <- nil
	require.NoError(t, <-ended)
	health(http.StatusOK, "ok")
	d.Lose()
	go ask()
	for range 2 {
		d.gate <- errors.New("on fire")
	}
	require.Error(t, <-ended)
	health(http.StatusServiceUnavailable, "failed")
	go ask()
	d.gate <- nil
	require.NoError(t, <-ended)
	health(http.StatusOK, "ok")
}
