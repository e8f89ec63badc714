package tui

import "charm.land/bubbles/v2/key"

// keyMap is every key there is.
type keyMap struct {
	Pause, Round, Back, Step, Stall, Finish, Ahead, Behind, Start, End key.Binding
	Faster, Slower, In, Out                                            key.Binding
	Up, Down, Top, Bottom, Next, Previous, Open, Close                 key.Binding
	Cells, Settings, Drop, Mouse, Help, Quit                           key.Binding
}

func bind(keys []string, shown, does string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

var keys = keyMap{
	Pause:    bind([]string{"space", " ", "p"}, "space", "play or pause"),
	Round:    bind([]string{"l", "right", "n"}, "l/→", "one round on"),
	Back:     bind([]string{"h", "left"}, "h/←", "one round back"),
	Step:     bind([]string{"s"}, "s", "next prompt step"),
	Stall:    bind([]string{"t"}, "t", "next stall"),
	Finish:   bind([]string{"f"}, "f", "next finish"),
	Ahead:    bind([]string{"L", "shift+right", "pgdown"}, "L", "half a strip on"),
	Behind:   bind([]string{"H", "shift+left", "pgup"}, "H", "half a strip back"),
	Start:    bind([]string{"0", "home"}, "0", "to the start"),
	End:      bind([]string{"$", "end"}, "$", "to the end"),
	Faster:   bind([]string{"+", "=", "."}, "+", "faster"),
	Slower:   bind([]string{"-", ","}, "-", "slower"),
	In:       bind([]string{"z"}, "z", "strip: less time"),
	Out:      bind([]string{"Z"}, "Z", "strip: more time"),
	Up:       bind([]string{"k", "up"}, "k/↑", "up"),
	Down:     bind([]string{"j", "down"}, "j/↓", "down"),
	Top:      bind([]string{"g"}, "g", "to the top"),
	Bottom:   bind([]string{"G"}, "G", "to the bottom"),
	Next:     bind([]string{"tab"}, "tab", "next pane"),
	Previous: bind([]string{"shift+tab"}, "shift+tab", "previous pane"),
	Open:     bind([]string{"enter"}, "enter", "details"),
	Close:    bind([]string{"esc"}, "esc", "close, let go"),
	Cells:    bind([]string{"a"}, "a", "case and arm"),
	Settings: bind([]string{"w"}, "w", "what if: a setting"),
	Drop:     bind([]string{"x"}, "x", "drop the what-if"),
	Mouse:    bind([]string{"m"}, "m", "mouse on or off"),
	Help:     bind([]string{"?"}, "?", "help"),
	Quit:     bind([]string{"q", "ctrl+c"}, "q", "quit"),
}

// playing are the keys of a simulation only.
func (k keyMap) playing() []key.Binding {
	return []key.Binding{k.Pause, k.Round, k.Back, k.Step, k.Stall, k.Finish, k.Ahead, k.Behind,
		k.Start, k.End, k.Faster, k.Slower, k.Cells, k.Settings, k.Drop}
}

// looking are the keys that only change what is shown.
func (k keyMap) looking() []key.Binding {
	return []key.Binding{k.Up, k.Down, k.Top, k.Bottom, k.Next, k.Previous, k.Open, k.Close,
		k.In, k.Out, k.Mouse, k.Help, k.Quit}
}

// brief are the keys of the last line, the most useful first.
func (k keyMap) brief(live bool) []key.Binding {
	if live {
		return []key.Binding{word(k.Help, "help"), word(k.Quit, "quit"), k.Next, k.Up, k.Down, k.Open, k.In, k.Out}
	}
	return []key.Binding{word(k.Help, "help"), word(k.Quit, "quit"), word(k.Pause, "play"), word(k.Round, "round"),
		word(k.Back, "back"), word(k.Faster, "faster"), word(k.Settings, "what if"), word(k.Cells, "arm"), k.Next,
		k.Step, k.Stall, k.Finish, k.Open}
}

// word is a binding with a shorter description.
func word(b key.Binding, does string) key.Binding {
	b.SetHelp(b.Help().Key, does)
	return b
}
