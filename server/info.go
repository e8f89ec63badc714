package server

import (
	"net/http"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/engine"
)

// card is a model as /v1/models lists it.
type card struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	Owner   string `json:"owned_by"`
	Context int    `json:"max_model_len"`
}

func (s *Server) card() card {
	return card{s.options.Model, "model", s.started.Unix(), "tfsim", s.live.Config().Context}
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []card{s.card()}})
}

func (s *Server) model(w http.ResponseWriter, r *http.Request) {
	if name := r.PathValue("model"); name != s.options.Model {
		fail(http.StatusNotFound, invalid, "model_not_found", "no model %q here; this server has %s", brief([]byte(name)), s.options.Model).write(w)
		return
	}
	writeJSON(w, http.StatusOK, s.card())
}

// health says what the server does; with keys, only that it is there.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	status, code := "ok", http.StatusOK
	switch s.live.Device() {
	case engine.DeviceRestarting:
		status = "restarting"
	case engine.DeviceFailed:
		status, code = "failed", http.StatusServiceUnavailable
	}
	select {
	case <-s.live.Stopped():
		status, code = "stopped", http.StatusServiceUnavailable
	default:
	}
	if !s.allowed(r) {
		writeJSON(w, code, map[string]string{"status": status})
		return
	}
	x, info := s.live.Stats(), s.live.Info()
	writeJSON(w, code, map[string]any{
		"status": status, "model": s.options.Model, "device": info.Name, "exact": info.Promise.Level == device.Exact,
		"busy": x.InFlight > 0, "requests_running": x.Filling + x.Decoding, "requests_waiting": x.Waiting,
		"streams":  map[string]int{"decoding": x.Decoding, "prefilling": x.Filling, "max": s.live.Config().Lanes},
		"requests": map[string]uint64{"finished": x.Finished, "cancelled": x.Cancelled, "failed": x.Failed, "refused": x.Refused},
		"tokens":   map[string]uint64{"prompt": x.PromptTokens, "cached": x.CachedTokens, "completion": x.Tokens},
		"rounds":   x.Rounds, "drafted": x.Drafted, "accepted": x.Accepted,
		"prefill_seconds": float64(x.PromptTime) / 1e6, "decode_seconds": float64(x.PassTime+x.RoundTime) / 1e6,
		"restarts": x.Restarts,
	})
}

// tokenize gives the tokens of a text.
func (s *Server) tokenize(w http.ResponseWriter, r *http.Request) {
	f, err := s.object(w, r)
	if err != nil {
		err.write(w)
		return
	}
	f.ignore("model")
	var text string
	ok := f.as("content", "a text", &text) || f.as("prompt", "a text", &text)
	begin, special := f.yes("add_special", false), f.yes("parse_special", false)
	if !ok {
		f.bad("content", "missing; want a text")
	}
	if err := f.done(); err != nil {
		err.write(w)
		return
	}
	tokens, wrong := s.tokens(r.Context(), text, begin, special)
	if wrong != nil {
		f.fault("content", wrong)
		f.err.write(w)
		return
	}
	if tokens == nil {
		tokens = []device.Token{}
	}
	writeJSON(w, http.StatusOK, map[string]any{"tokens": tokens, "count": len(tokens)})
}

// detokenize gives the text of tokens.
func (s *Server) detokenize(w http.ResponseWriter, r *http.Request) {
	f, err := s.object(w, r)
	if err != nil {
		err.write(w)
		return
	}
	f.ignore("model")
	var tokens []device.Token
	if !f.as("tokens", "a list of token ids", &tokens) {
		f.bad("tokens", "missing; want a list of token ids")
	}
	for _, t := range tokens {
		if n := s.live.Info().Vocabulary; t < 0 || int(t) >= n {
			f.bad("tokens", "%d; want 0 to %d", t, n-1)
			break
		}
	}
	if err := f.done(); err != nil {
		err.write(w)
		return
	}
	text := string(s.tokenizer.AppendText(nil, tokens...))
	writeJSON(w, http.StatusOK, map[string]string{"content": text, "prompt": text})
}

func (s *Server) object(w http.ResponseWriter, r *http.Request) (*fields, *failure) {
	body, err := s.body(w, r)
	if err != nil {
		return nil, err
	}
	return readFields(body)
}
