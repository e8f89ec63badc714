package server

import (
	"fmt"
	"time"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/engine"
)

// usage counts tokens.
type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

func usageOf(r engine.Result) *usage {
	u := &usage{Prompt: r.Prompt, Completion: r.Tokens, Total: r.Prompt + r.Tokens}
	u.Details.Cached = r.Cached
	return u
}

// about is what a reply says of itself.
type about struct {
	TokenSHA string  `json:"token_sha"`
	Exact    bool    `json:"exact"`
	Rounds   int     `json:"rounds"`
	Drafted  int     `json:"drafted"`
	Accepted int     `json:"accepted"`
	Losses   int     `json:"losses,omitempty"`
	QueueMs  float64 `json:"queue_ms"`
	// PrefillMs is from its lane to its first token, TTFTMs all until then.
	PrefillMs float64 `json:"prefill_ms"`
	TTFTMs    float64 `json:"ttft_ms"`
	TotalMs   float64 `json:"total_ms"`
	Rate      float64 `json:"decode_tok_s,omitempty"`
}

func aboutOf(r engine.Result) *about {
	ms := func(t core.Micros) float64 { return float64(t) / 1000 }
	a := &about{
		TokenSHA: r.SHA, Exact: r.Exact, Rounds: r.Rounds, Drafted: r.Drafted, Accepted: r.Accepted, Losses: r.Losses,
		QueueMs: ms(r.Queue), PrefillMs: ms(max(r.First-r.Queue, 0)), TTFTMs: ms(r.First), TotalMs: ms(r.Total),
	}
	if took := r.Total - r.First; took > 0 && r.Tokens > 1 {
		a.Rate = float64(r.Tokens-1) * 1e6 / float64(took)
	}
	return a
}

// envelope is a completion, whole or a chunk of it.
type envelope struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage,omitempty"`
	About   *about   `json:"tfsim,omitempty"`
}

// choice is the one of a completion. Which fields there are depends on its
// kind.
type choice struct {
	Index    int     `json:"index"`
	Message  *said   `json:"message,omitempty"`
	Delta    *said   `json:"delta,omitempty"`
	Text     *string `json:"text,omitempty"`
	Logprobs any     `json:"logprobs"`
	Finish   *string `json:"finish_reason"`
}

type said struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
}

// shape makes the envelopes of one reply.
type shape struct {
	chat, stream bool
	head         envelope
}

func (s *Server) shape(chat, stream bool, id core.ID) *shape {
	x := &shape{chat: chat, stream: stream, head: envelope{Created: time.Now().Unix(), Model: s.options.Model}}
	switch {
	case chat && stream:
		x.head.ID, x.head.Object = "chatcmpl-", "chat.completion.chunk"
	case chat:
		x.head.ID, x.head.Object = "chatcmpl-", "chat.completion"
	default:
		x.head.ID, x.head.Object = "cmpl-", "text_completion"
	}
	x.head.ID += fmt.Sprintf("%x-%d", s.started.UnixNano(), id)
	return x
}

// with is an envelope with some text. first names the role, and finish ends
// the reply; both are empty in between.
func (x *shape) with(role, text, finish string) envelope {
	e := x.head
	c := choice{}
	if finish != "" {
		c.Finish = &finish
	}
	switch {
	case !x.chat:
		c.Text = &text
	case x.stream:
		c.Delta = &said{Role: role}
		if finish == "" {
			c.Delta.Content = &text
		}
	default:
		c.Message = &said{Role: role, Content: &text}
	}
	e.Choices = []choice{c}
	return e
}

// finish is OpenAI's word for how a reply ended.
func finish(r engine.Result) string {
	if r.Reason == "length" {
		return "length"
	}
	return "stop"
}
