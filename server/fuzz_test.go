package server_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/device/fake"
	"github.com/tfsim/tfsim/engine"
	"github.com/tfsim/tfsim/server"
)

// Whatever the body, the answer is JSON with a status, and the server lives.
func FuzzBodies(f *testing.F) {
	for _, s := range []string{
		`{"messages": [{"role": "user", "content": "x"}], "max_tokens": 3, "stop": "a"}`,
		`{"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}], "stream": true, "max_tokens": 1}`,
		`{"prompt": [1, 2], "max_tokens": 2, "seed": -9223372036854775808, "top_k": -1}`,
		`{"prompt": ["x"], "stream_options": {"include_usage": 3}}`, `[]`, `{"prompt": [[]]}`, `{"prompt": null}`,
	} {
		f.Add(s)
	}
	d := fake.Open(fake.Options{Context: 64, Ends: true})
	c := core.DefaultConfig()
	c.Lanes, c.LaunchRows, c.Block, c.Prices = 4, 64, 8, line{}
	l, err := engine.Start(d, engine.Options{Config: c})
	require.NoError(f, err)
	f.Cleanup(func() { _ = l.Close() })
	s, err := server.New(server.Options{Live: l, Tokenizer: d, Model: "fake"})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, body string) {
		for _, path := range []string{"/v1/chat/completions", "/v1/completions", "/tokenize", "/detokenize"} {
			w := newRecorder()
			req, err := http.NewRequest("POST", path, strings.NewReader(body))
			require.NoError(t, err)
			s.ServeHTTP(w, req)
			require.GreaterOrEqual(t, w.status, 200, body)
			if w.status >= 500 {
				t.Fatalf("%s: %d %s", path, w.status, w.body.String())
			}
			if !bytes.HasPrefix(w.body.Bytes(), []byte("data:")) {
				require.True(t, json.Valid(w.body.Bytes()))
			}
		}
		select {
		case <-l.Stopped():
			t.Fatal(errors.Join(errors.New("the engine stopped"), l.Err()))
		default:
		}
	})
}
