package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tfsim/tfsim/core"
)

// absent stands for a figure that does not exist.
const absent = "–"

// span writes a time in about four characters: 850µs, 39.4ms, 1.23s, 2m18s.
func span(t core.Micros) string {
	switch {
	case t < 0:
		return "-" + span(-t)
	case t < 1000:
		return strconv.FormatInt(int64(t), 10) + "µs"
	case t < 100_000:
		return fixed(float64(t)/1e3, 1) + "ms"
	case t < 1_000_000:
		return strconv.FormatInt(int64(t/1000), 10) + "ms"
	case t < 10_000_000:
		return fixed(float64(t)/1e6, 2) + "s"
	case t < 100_000_000:
		return fixed(float64(t)/1e6, 1) + "s"
	case t < 3600_000_000:
		s := int64(t / 1_000_000)
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	default:
		m := int64(t / 60_000_000)
		return fmt.Sprintf("%dh%02dm", m/60, m%60)
	}
}

// clock is a point in time, to a millisecond.
func clock(t core.Micros) string {
	if t < 0 {
		return "-" + clock(-t)
	}
	ms := int64(t / 1000)
	if h := ms / 3600_000; h > 0 {
		return fmt.Sprintf("%d:%02d:%02d.%03d", h, ms/60_000%60, ms/1000%60, ms%1000)
	}
	return fmt.Sprintf("%d:%02d.%03d", ms/60_000, ms/1000%60, ms%1000)
}

func fixed(x float64, decimals int) string { return strconv.FormatFloat(x, 'f', decimals, 64) }

// count writes a number with its thousands apart; a very large one is cut.
func count(n int64) string {
	switch {
	case n < 0:
		return "-" + count(-n)
	case n >= 10_000_000_000:
		return fixed(float64(n)/1e9, 1) + "G"
	case n >= 10_000_000:
		return fixed(float64(n)/1e6, 1) + "M"
	}
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// short writes a number in at most five characters.
func short(n int64) string {
	switch {
	case n < 10_000:
		return strconv.FormatInt(n, 10)
	case n < 1_000_000:
		return fixed(float64(n)/1e3, 0) + "k"
	default:
		return fixed(float64(n)/1e6, 1) + "M"
	}
}

// rate writes tokens per second.
func rate(x float64, ok bool) string {
	switch {
	case !ok:
		return absent
	case x < 100:
		return fixed(x, 1)
	default:
		return count(int64(x + 0.5))
	}
}

func percent(x float64, ok bool) string {
	if !ok {
		return absent
	}
	return fixed(100*x, 0) + "%"
}

func millis(n core.Nanos) string {
	if n <= 0 {
		return absent
	}
	return span(core.Micros((n + 500) / 1000))
}

// timed is a time, or what stands for none.
func timed(t core.Micros, ok bool) string {
	if !ok {
		return absent
	}
	return span(t)
}

// several writes so many of something.
func several(n int, what string) string {
	text := strconv.Itoa(n) + " " + what
	switch {
	case n == 1:
	case strings.HasSuffix(what, "ch"):
		text += "es"
	default:
		text += "s"
	}
	return text
}
