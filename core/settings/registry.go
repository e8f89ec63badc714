package settings

import (
	"fmt"
	"slices"
	"strings"
)

// registry holds every setting by group; Config applies them in this order.
var registry = slices.Concat(
	hostSettings(),
	promptSettings(),
	draftSettings(),
	ownSettings(),
	acceptedSettings(),
)

// index finds a setting's place by each of its names.
var index = indexNames()

func indexNames() map[string]int {
	names := make(map[string]int, 2*len(registry))
	for i, s := range registry {
		names[s.Name] = i
		if s.Flag != "" {
			names[s.Flag] = i
			names["--"+s.Flag] = i
		}
	}
	return names
}

// All gives every setting, by group.
func All() []Setting { return slices.Clone(registry) }

// Lookup finds a setting by its variable, or by its flag with or without
// dashes.
func Lookup(name string) (Setting, bool) {
	i, ok := index[strings.TrimSpace(name)]
	if !ok {
		return Setting{}, false
	}
	return registry[i], true
}

func find(name string) (Setting, error) {
	if s, ok := Lookup(name); ok {
		return s, nil
	}
	near := nearest(strings.TrimSpace(name))
	if len(near) == 0 {
		return Setting{}, fmt.Errorf("unknown setting %s", quote(name))
	}
	return Setting{}, fmt.Errorf("unknown setting %s; nearest: %s", quote(name), list(near))
}
