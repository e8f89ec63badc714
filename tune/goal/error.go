package goal

import (
	"fmt"
	"strconv"
)

// Error is what is wrong with an expression.
type Error struct {
	// Col is where, counted from 1 in characters.
	Col int
	// Got is what is there, "" at the end; Want is what is accepted.
	Got, Want string
}

func (e *Error) Error() string {
	return fmt.Sprintf("column %d: %s; want %s", e.Col, shown(e.Got), e.Want)
}

// shown makes a piece of an expression printable and short.
func shown(s string) string {
	const most = 40
	if s == "" {
		return "the end"
	}
	if r := []rune(s); len(r) > most {
		return strconv.Quote(string(r[:most])) + "…"
	}
	return strconv.Quote(s)
}
