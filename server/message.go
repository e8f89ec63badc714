package server

import (
	"encoding/json"
	"fmt"
	"strings"
)

// message reads message i of a chat.
func (f *fields) message(i int, raw json.RawMessage) message {
	at := fmt.Sprintf("messages[%d]", i)
	in, err := readFields(raw)
	if err != nil {
		f.bad(at, "%s; want an object with role and content", brief(raw))
		return message{}
	}
	m := message{role: in.text("role")}
	switch m.role {
	case "developer":
		m.role = "system"
	case "system", "user", "assistant", "tool":
	default:
		in.bad("role", "%q; want system, developer, user, assistant or tool", m.role)
	}
	m.text = in.content()
	in.ignore("name", "refusal", "tool_call_id")
	in.only("tool_calls", "[]")
	in.only("function_call")
	in.only("audio")
	if err := in.done(); err != nil {
		f.bad(at+"."+*err.Param, "%s", strings.TrimPrefix(err.Message, *err.Param+": "))
	}
	return m
}

// content reads a text, or a list of parts that are texts.
func (f *fields) content() string {
	const want = "a text, or a list of parts of type text"
	raw, ok := f.take("content")
	var text string
	switch {
	case !ok:
		f.bad("content", "missing; want %s", want)
		return ""
	case json.Unmarshal(raw, &text) == nil:
		return text
	}
	var parts []struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		f.bad("content", "%s; want %s", brief(raw), want)
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Type != "text" || p.Text == nil {
			f.bad("content", "a part of type %q; want %s", p.Type, want)
			break
		}
		b.WriteString(*p.Text)
	}
	return b.String()
}
