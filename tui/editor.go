package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/tfsim/tfsim/core/settings"
	"github.com/tfsim/tfsim/tui/view"
)

// editor chooses a setting of the registry and changes it.
type editor struct {
	pick
	lines []settings.Line
	input textinput.Model
	on    editorWords
	unset map[string]string
	// editing is that the chosen setting's text is typed.
	editing bool
	bad     string
}

// editorWords say what a change is for.
type editorWords struct{ title, enter string }

var (
	onRun    = editorWords{"what if: a setting changes now", "enter plays with it"}
	onServer = editorWords{"a setting of the server changes now", "enter changes it there"}
)

// newEditor shows the settings as values has them; those without effect come
// last. unset is what unset ones stand for where the registry's words do not
// say it.
func newEditor(values settings.Values, unset map[string]string, on editorWords) *editor {
	e := &editor{pick: newPick(), input: textinput.New(), unset: unset, on: on}
	e.input.Prompt = ""
	var last []settings.Line
	for _, l := range values.Explain() {
		if l.Origin == settings.OriginDefault {
			l.Text = e.whenUnset(l.Setting)
		}
		if l.Setting.Scope == settings.Accepted {
			last = append(last, l)
		} else {
			e.lines = append(e.lines, l)
		}
	}
	e.lines = append(e.lines, last...)
	return e
}

func (e *editor) whenUnset(s settings.Setting) string {
	if text, ok := e.unset[s.Name]; ok {
		return text
	}
	return s.WhenUnset()
}

func (e *editor) found() []settings.Line {
	var out []settings.Line
	for _, l := range e.lines {
		if e.matches(l.Setting.Name + " " + l.Setting.Group + " " + l.Setting.Doc) {
			out = append(out, l)
		}
	}
	return out
}

func (e *editor) chosen() (settings.Line, bool) {
	found := e.found()
	if len(found) == 0 {
		return settings.Line{}, false
	}
	return found[min(e.cursor, len(found)-1)], true
}

func (e *editor) press(m *Model, k tea.KeyPressMsg) (bool, tea.Cmd) {
	if e.editing {
		return e.typeKey(m, k)
	}
	switch {
	case e.pick.press(k, len(e.found())):
	case key.Matches(k, keys.Close), key.Matches(k, keys.Quit), key.Matches(k, keys.Settings):
		return false, nil
	case key.Matches(k, keys.Open):
		if l, ok := e.chosen(); ok {
			e.editing, e.bad = true, ""
			e.input.SetValue("")
			if l.Origin != settings.OriginDefault {
				e.input.SetValue(l.Text)
			}
			e.input.CursorEnd()
			e.input.Focus()
		}
	}
	return true, nil
}

// typeKey handles a key while a text is typed; it is checked at each.
func (e *editor) typeKey(m *Model, k tea.KeyPressMsg) (bool, tea.Cmd) {
	l, _ := e.chosen()
	switch k.String() {
	case "esc":
		e.editing, e.bad = false, ""
		e.input.Blur()
		return true, nil
	case "tab":
		e.input.SetValue(nextOption(l.Setting, e.input.Value()))
		e.input.CursorEnd()
		e.check(l.Setting)
		return true, nil
	case "enter":
		if e.check(l.Setting); e.bad != "" {
			return true, nil
		}
		cmd, err := m.change(l.Setting.Name, e.input.Value())
		if err != nil {
			e.bad = err.Error()
			return true, nil
		}
		return false, cmd
	}
	e.input, _ = e.input.Update(k)
	e.check(l.Setting)
	return true, nil
}

// check reads the typed text by the registry.
func (e *editor) check(s settings.Setting) {
	var v settings.Values
	e.bad = ""
	if err := v.Set(s.Name, e.input.Value()); err != nil {
		e.bad = err.Error()
	}
}

// nextOption is the text after another among those worth trying.
func nextOption(s settings.Setting, text string) string {
	options := s.Options
	if len(options) == 0 {
		options = s.Search.Values
	}
	for i, o := range options {
		if o == text {
			return options[(i+1)%len(options)]
		}
	}
	if len(options) == 0 {
		return text
	}
	return options[0]
}

func (e *editor) overlay() *view.Overlay {
	found := e.found()
	o := &view.Overlay{Title: e.on.title, Cursor: min(e.cursor, len(found)-1)}
	for _, l := range found {
		style := view.Plain
		switch {
		case l.Origin != settings.OriginDefault:
			style = view.Strong
		case l.Setting.Scope == settings.Accepted:
			style = view.Dim
		}
		line := view.Line{{Style: style, Text: pad(l.Setting.Name, 32) + " "}, {Style: style, Text: pad(l.Text, 14)}}
		if l.Origin != settings.OriginDefault {
			line = append(line, view.Part{Style: view.Dim, Text: "  " + l.Origin})
		}
		o.Lines = append(o.Lines, line)
	}
	l, ok := e.chosen()
	if !ok {
		o.Foot = []view.Line{e.foot("no such setting; esc closes")}
		return o
	}
	for _, text := range wrap(l.Setting.Describe(), 76, 4) {
		o.Foot = append(o.Foot, view.Of(view.Plain, text))
	}
	o.Foot = append(o.Foot,
		view.Line{{Style: view.Dim, Text: "accepted: "}, {Style: view.Plain, Text: l.Setting.Accepted}},
		view.Line{{Style: view.Dim, Text: "unset:    "}, {Style: view.Plain, Text: e.whenUnset(l.Setting)}})
	switch {
	case !e.editing:
		o.Foot = append(o.Foot, e.foot("enter changes it, esc closes"))
	case e.bad != "":
		o.Foot = append(o.Foot, input(&e.input))
		for _, text := range wrap(e.bad, 76, 3) {
			o.Foot = append(o.Foot, view.Of(view.Bad, text))
		}
	default:
		o.Foot = append(o.Foot, input(&e.input), view.Of(view.Dim, e.on.enter+", tab next form, blank unsets, esc goes back"))
	}
	return o
}

func input(in *textinput.Model) view.Line {
	return view.Line{{Style: view.Key, Text: "new:      "}, {Style: view.Strong, Text: typed(in, true)}}
}

// wrap breaks a text into at most most lines of a width.
func wrap(text string, width, most int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	lines = append(lines, line)
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] += " …"
	}
	return lines
}
