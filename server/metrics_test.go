package server_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
)

// How the scheduler runs can be read beside what it did.
func TestMetricsOfConfig(t *testing.T) {
	for _, c := range []struct {
		steps bool
		share string
	}{{true, "0.75"}, {false, "1"}} {
		r := serve(t, fake.Open(fake.Options{}), func(e *engine.Options, _ *server.Options) {
			e.Config.Steps, e.Config.PromptShare, e.Config.Lanes = c.steps, 750_000, 3
		})
		resp, err := http.Get(r.url + "/metrics")
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		_ = resp.Body.Close()
		require.Contains(t, string(body), "\ntfsim:prompt_share "+c.share+"\n")
		require.Contains(t, string(body), "\ntfsim:lanes 3\n")
		r.stop()
	}
}

// What the host reads stands beside what the engine counts.
func TestMetricsOfHost(t *testing.T) {
	r := serve(t, fake.Open(fake.Options{}), func(_ *engine.Options, o *server.Options) {
		o.Readings = []server.Reading{{Name: "tfsim:thermal_pressure", Help: "How hot.", Value: func() float64 { return 2 }}}
	})
	require.Contains(t, get(t, r.url+"/metrics"), "\ntfsim:thermal_pressure 2\n")
}
