package settings

import (
	"maps"
	"math/bits"
)

// Origins that Values gives by itself.
const (
	// OriginDefault is that of an unset value.
	OriginDefault = "default"
	// OriginSet is that of a value given by Set.
	OriginSet = "set"
)

type entry struct {
	value
	origin string
}

// Values is a set of read values, each with its origin. The zero value has
// none set. A copy is independent of what it was copied from.
type Values struct {
	entries map[string]entry
}

// Set reads a text for a setting; a blank text unsets it. On an error
// nothing changes.
func (v *Values) Set(name, text string) error { return v.SetFrom(name, text, OriginSet) }

// SetFrom is Set with an origin to show: "environment", "arm fast".
func (v *Values) SetFrom(name, text, origin string) error {
	s, err := find(name)
	if err != nil {
		return err
	}
	read, set, err := s.read(text)
	if err != nil {
		return err
	}
	// Copies share the map, so it is never written in place.
	entries := maps.Clone(v.entries)
	if entries == nil {
		entries = map[string]entry{}
	}
	if set {
		entries[s.Name] = entry{read, origin}
	} else {
		delete(entries, s.Name)
	}
	v.entries = entries
	return nil
}

// Over gives base's values with v's laid over them.
func (v Values) Over(base Values) Values {
	entries := maps.Clone(base.entries)
	if entries == nil {
		entries = map[string]entry{}
	}
	maps.Copy(entries, v.entries)
	return Values{entries}
}

// Get gives a setting's canonical text, and whether it is set.
func (v Values) Get(name string) (text string, set bool) {
	s, ok := Lookup(name)
	if !ok {
		return "", false
	}
	e, set := v.entries[s.Name]
	return e.text, set
}

// Len is the number of set values.
func (v Values) Len() int { return len(v.entries) }

// set says whether a setting, given by its Name, is set.
func (v Values) set(name string) bool {
	_, ok := v.entries[name]
	return ok
}

// n is a setting's value, or otherwise if it is unset.
func (v Values) n(name string, otherwise int64) int64 {
	if e, ok := v.entries[name]; ok {
		return e.value.n
	}
	return otherwise
}

// Line is one setting with what it reads as.
type Line struct {
	Setting Setting
	// Text is the canonical text, or what unset means in words.
	Text   string
	Origin string
}

// Explain gives a line for every setting, in registry order.
func (v Values) Explain() []Line {
	lines := make([]Line, 0, len(registry))
	for _, s := range registry {
		line := Line{s, s.WhenUnset(), OriginDefault}
		if e, ok := v.entries[s.Name]; ok {
			line.Text, line.Origin = e.text, e.origin
		}
		lines = append(lines, line)
	}
	return lines
}

// Environment gives the set variables as NAME=value, in registry order.
func (v Values) Environment() []string {
	var lines []string
	for _, s := range registry {
		if e, ok := v.entries[s.Name]; ok && s.Env != "" {
			lines = append(lines, s.Env+"="+e.text)
		}
	}
	return lines
}

// Flags gives the set flags as arguments, in registry order. A bool flag
// stands alone if it is on and is left out if it is off.
func (v Values) Flags() []string {
	var args []string
	for _, s := range registry {
		e, ok := v.entries[s.Name]
		switch {
		case !ok || s.Flag == "":
		case s.Kind != Bool:
			args = append(args, "--"+s.Flag, e.text)
		case e.on():
			args = append(args, "--"+s.Flag)
		}
	}
	return args
}

// CalibKind is the belief that TF_DSV41_CALIB chooses: "measured" or
// "default". The caller sets the configuration's prices by it.
func (v Values) CalibKind() string {
	if e, ok := v.entries[nameCalib]; ok && e.text != "default" {
		return "measured"
	}
	return "default"
}

// UnkeptNotes are those of set values without effect where no prompt states
// are kept, which a configuration alone does not tell.
func (v Values) UnkeptNotes() []Note {
	e, ok := v.entries[namePrefixWait]
	if !ok {
		return nil
	}
	return []Note{{namePrefixWait, e.text, "no effect: no prompt states are kept (" + namePromptCache + ")"}}
}

// PromptCacheBytes is --prompt-cache-gib in bytes, rounded down, and whether
// it is set; 0 is off.
func (v Values) PromptCacheBytes() (bytes int64, set bool) {
	high, low := bits.Mul64(uint64(v.n(namePromptCache, 0)), 1<<30)
	whole, _ := bits.Div64(high, low, uint64(one))
	return int64(whole), v.set(namePromptCache)
}
