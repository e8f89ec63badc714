package server

import "strings"

// part is a piece of a prompt. Marks in it become control tokens.
type part struct {
	text  string
	marks bool
}

// template puts a chat into a model's form.
type template struct {
	name string
	// sign is what a model's own template of this family contains.
	sign string
	// open goes before a message of a role and shut after it; then comes what
	// lets the model answer.
	open func(role string) string
	shut func(role string) string
	then string
	// merge puts what the system says before the first message of the user.
	merge bool
}

func always(text string) func(string) string { return func(string) string { return text } }

// templates are the families that are known; the last takes every model.
var templates = []template{
	{name: "chatml", sign: "<|im_start|>", then: "<|im_start|>assistant\n", shut: always("<|im_end|>\n"),
		open: func(role string) string { return "<|im_start|>" + role + "\n" }},
	{name: "llama3", sign: "<|start_header_id|>", then: "<|start_header_id|>assistant<|end_header_id|>\n\n", shut: always("<|eot_id|>"),
		open: func(role string) string { return "<|start_header_id|>" + role + "<|end_header_id|>\n\n" }},
	{name: "gemma", sign: "<start_of_turn>", then: "<start_of_turn>model\n", shut: always("<end_of_turn>\n"), merge: true,
		open: func(role string) string {
			return "<start_of_turn>" + either(role == "assistant", "model", "user") + "\n"
		}},
	{name: "deepseek", sign: "<｜User｜>", then: "<｜Assistant｜>",
		open: func(role string) string {
			switch role {
			case "system":
				return ""
			case "assistant":
				return "<｜Assistant｜>"
			}
			return "<｜User｜>"
		},
		shut: func(role string) string { return either(role == "assistant", "<｜end▁of▁sentence｜>", "") }},
	{name: "phi", sign: "<|end|>", then: "<|assistant|>\n", shut: always("<|end|>\n"),
		open: func(role string) string { return "<|" + role + "|>\n" }},
	{name: "zephyr", sign: "<|user|>", then: "<|assistant|>\n", shut: always("</s>\n"),
		open: func(role string) string { return "<|" + role + "|>\n" }},
	{name: "mistral", sign: "[INST]", merge: true,
		open: func(role string) string { return either(role == "assistant", " ", "[INST] ") },
		shut: func(role string) string { return either(role == "assistant", "</s>", " [/INST]") }},
	{name: "plain", then: "assistant:", shut: always("\n"),
		open: func(role string) string { return role + ": " }},
}

func either(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

// templateOf finds the family of a model's own template.
func templateOf(own string) *template {
	for i := range templates {
		if t := &templates[i]; t.sign == "" || strings.Contains(own, t.sign) {
			return t
		}
	}
	return nil // the last has no sign
}

// render gives the parts of a prompt.
func (t *template) render(messages []message) []part {
	if t.merge {
		messages = merged(messages)
	}
	parts := make([]part, 0, 2*len(messages)+1)
	before := ""
	for _, m := range messages {
		parts = append(parts, part{before + t.open(m.role), true}, part{m.text, false})
		before = t.shut(m.role)
	}
	return append(parts, part{before + t.then, true})
}

// merged puts what the system says before the next message of the user.
func merged(messages []message) []message {
	var out []message
	system := ""
	for _, m := range messages {
		if m.role == "system" {
			system += m.text + "\n\n"
			continue
		}
		if m.role == "user" {
			m.text, system = system+m.text, ""
		}
		out = append(out, m)
	}
	if system != "" {
		out = append(out, message{"user", strings.TrimSpace(system)})
	}
	return out
}
