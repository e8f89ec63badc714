package report

import "strings"

// Place says which run of a study is meant.
type Place struct {
	World, Case, Arm string
}

// String is the place in words, outer names first; unnamed parts are left out.
func (p Place) String() string {
	var parts []string
	for _, s := range []string{p.World, p.Case, p.Arm} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " / ")
}
