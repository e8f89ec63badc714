package settings

import "github.com/tfsim/tfsim/core"

// Kind is the type of a setting's value.
type Kind uint8

// The kinds.
const (
	Bool Kind = iota
	Int
	// Fraction is decimal text between 0 and 1, exact to a millionth.
	Fraction
	// Number is decimal text of at least 0, exact to a millionth.
	Number
	// Choice is one of a setting's Options.
	Choice
	Text
)

var kindNames = [...]string{"bool", "int", "fraction", "number", "choice", "text"}

func (k Kind) String() string { return kindNames[k] }

// MarshalText gives the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Scope says who reads a setting.
type Scope uint8

// The scopes.
const (
	// Scheduler settings change the scheduler's configuration.
	Scheduler Scope = iota
	// Host settings are read by the program around the scheduler, through a
	// method of Values.
	Host
	// Accepted settings are checked for their form and have no effect here.
	Accepted
)

var scopeNames = [...]string{"scheduler", "host", "accepted"}

func (s Scope) String() string { return scopeNames[s] }

// MarshalText gives the scope's name.
func (s Scope) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Search is what a tuner may try. The zero value is: nothing.
type Search struct {
	// Values are texts worth trying; "" is unset.
	Values []string `json:"values,omitempty"`
	// Min and Max bound a numeric setting; both 0 for other kinds.
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

// Setting describes one setting.
type Setting struct {
	// Name is the name as users know it: Env, or "--" and Flag.
	Name string `json:"name"`
	// Env is the environment variable, "" if the setting is a flag.
	Env string `json:"env,omitempty"`
	// Flag is the flag without its dashes, "" if the setting is a variable.
	Flag string `json:"flag,omitempty"`
	// Group is the heading under which the setting is shown.
	Group string `json:"group"`
	// Backend says where the modelled system has it: "all", "Metal", "CUDA",
	// or "here" for the project's own.
	Backend string `json:"backend"`
	Scope   Scope  `json:"scope"`
	Kind    Kind   `json:"kind"`
	// Accepted is the accepted forms in words, to follow "want".
	Accepted string `json:"accepted"`
	// Options are a Choice's texts, or a Bool's.
	Options []string `json:"options,omitempty"`
	// Default is the text that means the same as unset, "" if none does.
	Default string `json:"default"`
	// Unset is what unset means in words, where Default alone does not say.
	Unset string `json:"unset,omitempty"`
	// TurnsOn is what setting it also turns on.
	TurnsOn string `json:"turns_on,omitempty"`
	// Doc is one line on what it does.
	Doc string `json:"doc"`
	// Choice says what is decided here because the modelled system's public
	// material leaves it open.
	Choice string `json:"our_choice,omitempty"`
	Search Search `json:"search"`

	parse  func(text string) (value, error)
	apply  func(c *core.Config, v value)
	remark func(m mode) string
}

// WhenUnset is what unset means, in words.
func (s Setting) WhenUnset() string {
	switch {
	case s.Unset != "":
		return s.Unset
	case s.Default != "":
		return s.Default
	}
	return "unset"
}

// Canonical is the text as Explain and Environment print it: "on" becomes
// "1" and "0.50" becomes "0.5". Blank text stays blank.
func (s Setting) Canonical(text string) (string, error) {
	v, set, err := s.read(text)
	if err != nil || !set {
		return "", err
	}
	return v.text, nil
}
