package server

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/tfsim/tfsim/device"
)

// completionPrompt reads the prompt of /v1/completions: a text, token ids, or
// a list of one of them.
func (s *Server) completionPrompt(ctx context.Context, f *fields) []device.Token {
	const want = "a text or a list of token ids"
	raw, ok := f.take("prompt")
	if !ok {
		f.bad("prompt", "missing; want %s", want)
		return nil
	}
	var text string
	var ids []device.Token
	var one []json.RawMessage
	if json.Unmarshal(raw, &one) == nil && len(one) == 1 && len(one[0]) > 0 && (one[0][0] == '"' || one[0][0] == '[') {
		raw = one[0]
	}
	switch {
	case json.Unmarshal(raw, &ids) == nil:
		if len(ids) == 0 {
			f.bad("prompt", "no tokens; want %s", want)
		}
		return ids
	case json.Unmarshal(raw, &text) == nil:
		tokens, err := s.tokens(ctx, text, true, true)
		switch {
		case err != nil:
			f.fault("prompt", err)
		case len(tokens) == 0:
			f.bad("prompt", "empty; want %s", want)
		}
		return tokens
	}
	f.bad("prompt", "%s; want one prompt: %s", brief(raw), want)
	return nil
}

// tokens gives the tokens of a text. A device that is lost meanwhile is brought
// back first.
func (s *Server) tokens(ctx context.Context, text string, begin, special bool) ([]device.Token, error) {
	for tries := 0; ; tries++ {
		tokens, err := s.tokenizer.Tokenize(text, begin, special)
		if !errors.Is(err, device.ErrLost) || tries == 3 {
			return tokens, err
		}
		if err := s.live.Check(ctx); err != nil {
			return nil, err
		}
	}
}

// fault keeps an error of turning a field into tokens: the text's, or one that
// is not the client's.
func (f *fields) fault(field string, err error) {
	switch {
	case errors.Is(err, device.ErrText):
		f.bad(field, "%s", plain(err))
	case f.err == nil:
		f.err = failed(err)
	}
}

// message is one of a chat.
type message struct{ role, text string }

// chatPrompt reads messages and puts them into the model's template. Only the
// template's own marks become control tokens, never what a message says.
func (s *Server) chatPrompt(ctx context.Context, f *fields) []device.Token {
	var raws []json.RawMessage
	if !f.as("messages", "a list of messages", &raws) && f.err == nil {
		f.bad("messages", "missing; want a list of messages")
	}
	if f.err == nil && len(raws) == 0 {
		f.bad("messages", "empty; want at least one message")
	}
	messages := make([]message, 0, len(raws))
	for i, raw := range raws {
		messages = append(messages, f.message(i, raw))
		if f.err != nil {
			return nil
		}
	}
	if f.err != nil {
		return nil
	}
	var tokens []device.Token
	for i, part := range s.template.render(messages) {
		if part.text == "" && i > 0 {
			continue
		}
		more, err := s.tokens(ctx, part.text, i == 0, part.marks)
		if err != nil {
			f.fault("messages", err)
			return nil
		}
		tokens = append(tokens, more...)
	}
	return tokens
}
