package server_test

import (
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
)

func TestKeys(t *testing.T) {
	r := serve(t, fake.Open(fake.Options{}), func(_ *engine.Options, o *server.Options) { o.Keys = []string{"other", "key"} })
	_, err := r.client.Models.List(context.Background())
	require.NoError(t, err)
	for _, header := range []string{"", "Bearer nonsense", "key"} {
		req, _ := http.NewRequest("GET", r.url+"/v1/models", nil)
		req.Header.Set("Authorization", header)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		_ = resp.Body.Close()
		require.Equal(t, 401, resp.StatusCode, header)
	}
	resp, err := http.Get(r.url + "/health")
	require.NoError(t, err)
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	require.JSONEq(t, `{"status": "ok"}`, string(body))
}
