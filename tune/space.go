package tune

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tfsim/tfsim/core/settings"
)

// Dim is one setting to search.
type Dim struct {
	// Name is the setting's.
	Name string
	// Values are the texts to try; the first is "", unset.
	Values []string
	// Min and Max bound a number that may be refined between the values; both
	// are 0 for other settings.
	Min, Max float64
	// Grain is the least difference between two refined values.
	Grain float64
}

// Refinable says that values between those listed make sense.
func (d *Dim) Refinable() bool { return d.Max > d.Min && d.Max-d.Min > 4*d.Grain }

// Space is what there is to search.
type Space struct{ Dims []Dim }

// Size is the number of points, at most most.
func (s *Space) Size(most int) int {
	size := 1
	for _, d := range s.Dims {
		if size *= len(d.Values); size >= most {
			return most
		}
	}
	return size
}

// NewSpace is the space of the scheduler's settings that have values to try.
// only, if not empty, names those to search, each by its name or as
// NAME=VALUE,VALUE with the values to try; fixed names are left out.
func NewSpace(only, fixed []string) (*Space, error) {
	var all []Dim
	for _, s := range settings.All() {
		if s.Scope == settings.Scheduler && len(s.Search.Values) > 0 {
			all = append(all, newDim(s))
		}
	}
	out := &Space{Dims: all}
	if len(only) > 0 {
		out.Dims = nil
	}
	for _, text := range only {
		d, err := chosen(text, all)
		if err != nil {
			return nil, fmt.Errorf("--only %s: %w", text, err)
		}
		if slices.ContainsFunc(out.Dims, func(o Dim) bool { return o.Name == d.Name }) {
			return nil, fmt.Errorf("--only %s: %s is named twice", text, d.Name)
		}
		out.Dims = append(out.Dims, d)
	}
	for _, name := range fixed {
		s, ok := settings.Lookup(name)
		if !ok {
			continue // whoever applies it says so
		}
		if len(only) > 0 && slices.ContainsFunc(out.Dims, func(d Dim) bool { return d.Name == s.Name }) {
			return nil, fmt.Errorf("--only %s: it is fixed, too", s.Name)
		}
		out.Dims = slices.DeleteFunc(out.Dims, func(d Dim) bool { return d.Name == s.Name })
	}
	if len(out.Dims) == 0 {
		return nil, errors.New("no setting left to search")
	}
	return out, nil
}

// newDim is a setting with the registry's values.
func newDim(s settings.Setting) Dim {
	d := Dim{Name: s.Name, Values: []string{""}, Min: s.Search.Min, Max: s.Search.Max}
	if s.Kind == settings.Bool || s.Kind == settings.Choice {
		d.Min, d.Max = 0, 0
	}
	switch s.Kind {
	case settings.Int:
		d.Grain = 1
	case settings.Fraction:
		d.Grain = 0.01
	default:
		d.Grain = 0.05
	}
	for _, text := range s.Search.Values {
		// A text that says what unset says is no other value.
		if text == s.Default && s.Unset == "" || slices.Contains(d.Values, text) {
			continue
		}
		d.Values = append(d.Values, text)
	}
	return d
}

// chosen reads one --only.
func chosen(text string, all []Dim) (Dim, error) {
	name, values, given := strings.Cut(text, "=")
	s, ok := settings.Lookup(name)
	if !ok {
		var v settings.Values
		return Dim{}, v.Set(name, "x") // its error names the nearest
	}
	i := slices.IndexFunc(all, func(d Dim) bool { return d.Name == s.Name })
	switch {
	case given && s.Scope != settings.Scheduler:
		return Dim{}, errors.New("it does not change the scheduler")
	case given:
		d := newDim(s)
		d.Values = []string{""}
		for _, value := range strings.Split(values, ",") {
			canonical, err := s.Canonical(value)
			if err != nil {
				return Dim{}, err
			}
			if !slices.Contains(d.Values, canonical) {
				d.Values = append(d.Values, canonical)
			}
		}
		if len(d.Values) == 1 {
			return Dim{}, errors.New("no value to try; want " + name + "=VALUE,VALUE")
		}
		// The values given are the values meant.
		d.Min, d.Max = 0, 0
		return d, nil
	case i < 0:
		return Dim{}, errors.New("the registry has no values of it to try; give some as " + name + "=VALUE,VALUE")
	}
	return all[i], nil
}

// number is a value as a number.
func number(text string) (float64, bool) {
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}
