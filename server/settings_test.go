package server_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
)

// adjustable serves with settings over the engine's configuration.
func adjustable(t *testing.T, changes bool) *running {
	t.Helper()
	return serve(t, fake.Open(fake.Options{}), func(e *engine.Options, o *server.Options) {
		base := e.Config
		o.Settings = &server.Settings{Changes: changes, Configure: func(v settings.Values) (core.Config, []settings.Note, error) {
			return v.Config(base)
		}}
	})
}

func get(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, 200, resp.StatusCode, string(body))
	return string(body)
}

// A setting changes while the server runs, and shows in what is listed, in the
// metrics and in the scheduler's configuration.
func TestSettingsChange(t *testing.T) {
	r := adjustable(t, true)
	status, _, v := r.post(t, "/settings", `{"TENSORFOLD_PREFILL_SHARE": "0.30", "TFSIM_STEP_ROWS": 48, "no-drafts": true, "TENSORFOLD_SEED_SALT": "3"}`)
	require.Equal(t, 200, status, v)
	require.Equal(t, []any{"TENSORFOLD_SEED_SALT=3: accepted, without effect here"}, v["notes"])
	c := r.live.Config()
	require.EqualValues(t, 300_000, c.PromptShare)
	require.Equal(t, 48, c.StepRows)
	require.False(t, c.Drafts)
	var list struct {
		Changes  bool
		Settings []struct{ Name, Value, Origin string }
	}
	require.NoError(t, json.Unmarshal([]byte(get(t, r.url+"/settings")), &list))
	require.True(t, list.Changes)
	seen := map[string]string{}
	for _, s := range list.Settings {
		seen[s.Name] = s.Value + " " + s.Origin
	}
	require.Equal(t, "0.3 client", seen["TENSORFOLD_PREFILL_SHARE"])
	require.Equal(t, "8 default", seen["TFSIM_PREFILL_PASSED_OVER"])
	require.NotContains(t, seen, "TENSORFOLD_SEED_SALT")
	require.Contains(t, get(t, r.url+"/metrics"), "\ntfsim:prompt_share 0.3\n")
	// Null unsets: the base's share again.
	status, _, v = r.post(t, "/settings", `{"TENSORFOLD_PREFILL_SHARE": null}`)
	require.Equal(t, 200, status, v)
	require.EqualValues(t, 500_000, r.live.Config().PromptShare)
	require.Equal(t, 48, r.live.Config().StepRows)
}

// What cannot be changed is refused by name, and nothing of it holds.
func TestSettingsRefuse(t *testing.T) {
	r := adjustable(t, true)
	before := r.live.Config()
	for _, c := range []struct{ body, want string }{
		{`{"TENSORFOLD_PREFILL_SHARE": "0.3", "TFSIM_STEP_ROWS": "x"}`, "TFSIM_STEP_ROWS"},
		{`{"TFSIM_STEP_ROW": "3"}`, "nearest: TFSIM_STEP_ROWS"},
		{`{"TFSIM_STEP_ROWS": [3]}`, "want a text"},
		{`{"--parallel": 2}`, "--parallel: fixed while it runs: lanes cannot change from 4 to 2; want 4"},
		{`{"TFSIM_STEP_ROWS": 48, "context": "100"}`, "context: fixed while it runs: context cannot change from 4096 to 100; want 4096"},
		{`{"TFSIM_QUEUE": "5"}`, "TFSIM_QUEUE: fixed while it runs: queue cannot change from 100 to 5; want 100"},
		{`{"--prompt-cache-gib": "1"}`, "read when the server starts"},
		{`{"TF_DSV41_CALIB": "measure"}`, "read when the server starts"},
		{`{"TFSIM_DRAFT_RULE": "oracle"}`, "oracle"},
		{`[]`, "want a JSON object"},
		{``, "the body is empty; want a JSON object"},
		{`{"TFSIM_STEP_ROWS"`, "the body is no JSON object: it ends too soon"},
	} {
		status, _, v := r.post(t, "/settings", c.body)
		require.Equal(t, 400, status, c.body)
		require.Contains(t, v["error"].(map[string]any)["message"], c.want)
	}
	require.Equal(t, before, r.live.Config())
	resp, err := http.Post(r.url+"/settings", "text/plain", strings.NewReader(`{}`))
	require.NoError(t, err)
	_ = resp.Body.Close()
	require.Equal(t, 415, resp.StatusCode)
	req, _ := http.NewRequest("POST", r.url+"/settings", strings.NewReader(`{"TFSIM_STEP_ROWS": "48"}`))
	req.Header = http.Header{"Content-Type": {"application/json"}, "Origin": {r.url}}
	resp, err = http.DefaultClient.Do(req)
	require.NoError(t, err)
	_ = resp.Body.Close()
	require.Equal(t, 403, resp.StatusCode)
	require.Equal(t, before, r.live.Config())
	req, _ = http.NewRequest("DELETE", r.url+"/settings", nil)
	resp, err = http.DefaultClient.Do(req)
	require.NoError(t, err)
	_ = resp.Body.Close()
	require.Equal(t, 405, resp.StatusCode)
	require.Equal(t, "GET, POST", resp.Header.Get("Allow"))
}

func TestSettingsNotAllowed(t *testing.T) {
	r := adjustable(t, false)
	require.Contains(t, get(t, r.url+"/settings"), `"changes":false`)
	status, _, v := r.post(t, "/settings", `{"TFSIM_STEP_ROWS": "48"}`)
	require.Equal(t, 403, status)
	require.Equal(t, "changes_not_allowed", v["error"].(map[string]any)["code"])
	require.Equal(t, 64, r.live.Config().StepRows)
}
