package result

import (
	"math"
	"strconv"
)

// unit is how a table prints a figure.
type unit uint8

const (
	unitSeconds unit = iota
	unitMillis
	unitRate
	unitFraction
)

// format is a figure for people: three or four digits and its unit.
func (u unit) format(v float64) string {
	switch u {
	case unitSeconds:
		return Span(v * 1e3)
	case unitMillis:
		return Span(v)
	case unitFraction:
		return strconv.FormatFloat(v*100, 'f', 0, 64) + "%"
	default:
		return Short(v)
	}
}

// Span is a time given in milliseconds, as ms or, from a second on, as s.
func Span(ms float64) string {
	if Short(ms) == "0" || math.Abs(ms) < 999.95 {
		return Short(ms) + " ms"
	}
	return Short(ms/1e3) + " s"
}

// Short is a number with as many decimals as a glance needs.
func Short(v float64) string {
	places := 2
	switch a := math.Abs(v); {
	case a == 0:
		places = 0
	case a >= 999.95:
		places = 0
	case a >= 9.995:
		places = 1
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

// times is a ratio, with enough decimals to tell it from 0.
func times(r float64) string {
	s := Short(r)
	if r > 0 && r < 0.005 {
		s = strconv.FormatFloat(r, 'g', 1, 64)
	}
	return s + "×"
}
