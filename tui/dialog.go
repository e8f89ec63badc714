package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/tfsim/tfsim/tui/view"
)

// dialog covers the panes and takes the keys.
type dialog interface {
	// press handles a key and says whether the dialog stays.
	press(m *Model, k tea.KeyPressMsg) (stays bool, cmd tea.Cmd)
	// overlay is how it looks.
	overlay() *view.Overlay
}

// helpDialog lists the keys.
type helpDialog struct{ live bool }

func (d *helpDialog) press(*Model, tea.KeyPressMsg) (bool, tea.Cmd) { return false, nil }

func (d *helpDialog) overlay() *view.Overlay {
	o := &view.Overlay{Title: "keys", Cursor: -1, Foot: []view.Line{
		view.Of(view.Dim, "█ prompt step  ▓ round  ▒ drafter pass  ░ restore  · idle. Any key closes."),
	}}
	left, right := keys.playing(), keys.looking()
	if d.live {
		left = []key.Binding{word(keys.Settings, "change a setting")}
	}
	for i := range max(len(left), len(right)) {
		var l view.Line
		if i < len(left) {
			l = append(l, entry(left[i])...)
		} else {
			l = append(l, view.Part{Text: strings.Repeat(" ", 30)})
		}
		if i < len(right) {
			l = append(l, entry(right[i])...)
		}
		o.Lines = append(o.Lines, l)
	}
	return o
}

// entry is a key and what it does, in 30 columns.
func entry(b key.Binding) view.Line {
	h := b.Help()
	return view.Line{{Style: view.Key, Text: pad(h.Key, 10)}, {Style: view.Plain, Text: pad(h.Desc, 20)}}
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-len([]rune(text)), 0))
}

// pick is a list with a cursor, narrowed by what is typed after a slash.
type pick struct {
	cursor int
	search textinput.Model
	typing bool
}

func newPick() pick {
	p := pick{search: textinput.New()}
	p.search.Prompt = ""
	return p
}

// press moves the cursor among n lines; done is that the key was for the list.
func (p *pick) press(k tea.KeyPressMsg, n int) (done bool) {
	if p.typing {
		switch {
		case key.Matches(k, keys.Open), key.Matches(k, keys.Close), k.String() == "up", k.String() == "down":
			p.typing = false
			p.search.Blur()
			return key.Matches(k, keys.Open) || key.Matches(k, keys.Close)
		}
		p.search, _ = p.search.Update(k)
		p.cursor = 0
		return true
	}
	switch {
	case k.String() == "/":
		p.typing = true
		p.search.Focus()
	case key.Matches(k, keys.Up):
		p.cursor--
	case key.Matches(k, keys.Down):
		p.cursor++
	case k.String() == "pgup":
		p.cursor -= 10
	case k.String() == "pgdown":
		p.cursor += 10
	case key.Matches(k, keys.Top):
		p.cursor = 0
	case key.Matches(k, keys.Bottom):
		p.cursor = n - 1
	default:
		return false
	}
	p.cursor = min(max(p.cursor, 0), max(n-1, 0))
	return true
}

// matches says whether a text holds what is searched for.
func (p *pick) matches(text string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(strings.TrimSpace(p.search.Value())))
}

// foot is the line that shows the search.
func (p *pick) foot(otherwise string) view.Line {
	if !p.typing && p.search.Value() == "" {
		return view.Of(view.Dim, otherwise+", / search")
	}
	return view.Line{{Style: view.Key, Text: "/"}, {Style: view.Plain, Text: typed(&p.search, p.typing)}}
}

// typed is the text of an input with its cursor.
func typed(in *textinput.Model, cursor bool) string {
	text := []rune(in.Value())
	at := min(in.Position(), len(text))
	if !cursor {
		return string(text)
	}
	return string(text[:at]) + "▏" + string(text[at:])
}
