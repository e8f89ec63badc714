package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/engine"
)

// chat answers /v1/chat/completions.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	s.complete(w, r, true, func(f *fields) []device.Token {
		f.only("logprobs", "false")
		f.only("top_logprobs", "0")
		f.only("tools", "[]")
		f.only("tool_choice", `"none"`, `"auto"`)
		f.only("response_format", `{"type":"text"}`)
		f.only("modalities", `["text"]`)
		f.ignore("parallel_tool_calls", "reasoning_effort", "verbosity")
		return s.chatPrompt(r.Context(), f)
	})
}

// completion answers /v1/completions.
func (s *Server) completion(w http.ResponseWriter, r *http.Request) {
	s.complete(w, r, false, func(f *fields) []device.Token {
		f.only("logprobs", "0")
		f.only("echo", "false")
		f.only("best_of", "1")
		f.only("suffix", `""`)
		return s.completionPrompt(r.Context(), f)
	})
}

// complete reads a request, submits it and answers it.
func (s *Server) complete(w http.ResponseWriter, r *http.Request, chat bool, prompt func(*fields) []device.Token) {
	p, err := s.read(w, r, chat, prompt)
	if err != nil {
		err.write(w)
		return
	}
	reply, wrong := s.live.Submit(r.Context(), p.request)
	if wrong != nil {
		err := failed(wrong)
		if err.Param != nil && !chat {
			field := "prompt"
			err.Param = &field
		}
		err.write(w)
		return
	}
	defer reply.Cancel() // where the client is gone
	a := &answer{
		server: s, reply: reply, params: p, shape: s.shape(chat, p.stream, reply.ID()),
		speller: speller{tokenizer: s.tokenizer, stops: p.stops},
		w:       w, out: http.NewResponseController(w),
	}
	if p.stream {
		a.streamed(r.Context())
	} else {
		a.whole(r.Context())
	}
	s.metrics.ended(reply.Result())
}

func (s *Server) read(w http.ResponseWriter, r *http.Request, chat bool, prompt func(*fields) []device.Token) (params, *failure) {
	body, err := s.body(w, r)
	if err != nil {
		return params{}, err
	}
	f, err := readFields(body)
	if err != nil {
		return params{}, err
	}
	p := f.params()
	if f.err == nil {
		p.request.Prompt = prompt(f)
	}
	if err := f.done(); err != nil {
		return params{}, err
	}
	if p.model != "" && p.model != s.options.Model {
		err := fail(http.StatusNotFound, invalid, "model_not_found", "model: no model %q here; this server has %s", brief([]byte(p.model)), s.options.Model)
		field := "model"
		err.Param = &field
		return params{}, err
	}
	p.seed()
	p.request.Ends = s.ends(p.stops)
	return p, nil
}

// answer writes one reply.
type answer struct {
	server  *Server
	reply   *engine.Reply
	params  params
	shape   *shape
	speller speller
	w       http.ResponseWriter
	out     *http.ResponseController
}

// whole writes the reply once it is over.
func (a *answer) whole(ctx context.Context) {
	tokens, err := a.reply.All(ctx)
	if err != nil {
		if ctx.Err() == nil {
			failed(err).write(a.w)
		}
		return
	}
	for _, t := range tokens {
		a.speller.add(t)
	}
	result := a.reply.Result()
	e := a.shape.with("assistant", a.speller.take(true), finish(result))
	e.Usage, e.About = usageOf(result), aboutOf(result)
	_ = a.out.SetWriteDeadline(time.Now().Add(a.server.options.Patience))
	writeJSON(a.w, http.StatusOK, e)
}

// streamed writes tokens as they come.
func (a *answer) streamed(ctx context.Context) {
	tokens, err := a.reply.Next(ctx)
	if err != nil && !errors.Is(err, io.EOF) {
		if ctx.Err() == nil {
			failed(err).write(a.w) // nothing was sent: the status can tell
		}
		return
	}
	startStream(a.w)
	role := "assistant"
	for err == nil {
		for _, t := range tokens {
			a.speller.add(t)
		}
		if text := a.speller.take(false); text != "" || role != "" {
			if a.send(a.shape.with(role, text, "")) != nil {
				return
			}
			role = ""
		}
		tokens, err = a.reply.Next(ctx)
	}
	switch {
	case ctx.Err() != nil:
		return
	case errors.Is(err, io.EOF):
		a.last()
	default:
		_ = a.send(map[string]*failure{"error": failed(err)})
	}
	_ = a.write([]byte("data: [DONE]\n\n"))
}

// last sends what was held back and how the reply ended.
func (a *answer) last() {
	result := a.reply.Result()
	if text := a.speller.take(true); text != "" {
		_ = a.send(a.shape.with("", text, ""))
	}
	e := a.shape.with("", "", finish(result))
	e.About = aboutOf(result)
	_ = a.send(e)
	if a.params.includeUsage {
		u := a.shape.head
		u.Choices, u.Usage = []choice{}, usageOf(result)
		_ = a.send(u)
	}
}

func (a *answer) send(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return a.write(append(append([]byte("data: "), b...), "\n\n"...))
}

// write sends bytes at once; a client that does not take them loses its reply.
func (a *answer) write(b []byte) error {
	_ = a.out.SetWriteDeadline(time.Now().Add(a.server.options.Patience))
	if _, err := a.w.Write(b); err != nil {
		return err
	}
	return a.out.Flush()
}

func startStream(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
}
