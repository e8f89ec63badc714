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
		return span(v * 1e3)
	case unitMillis:
		return span(v)
	case unitFraction:
		return strconv.FormatFloat(v*100, 'f', 0, 64) + "%"
	default:
		return short(v)
	}
}

// span is a time given in milliseconds, as ms or, from a second on, as s.
func span(ms float64) string {
	if short(ms) == "0" || math.Abs(ms) < 999.95 {
		return short(ms) + " ms"
	}
	return short(ms/1e3) + " s"
}

// short is a number with as many decimals as a glance needs.
func short(v float64) string {
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
	s := short(r)
	if r > 0 && r < 0.005 {
		s = strconv.FormatFloat(r, 'g', 1, 64)
	}
	return s + "×"
}
