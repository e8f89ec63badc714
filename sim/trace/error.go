package trace

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Error is what is wrong with a trace. Its text is one line,
// `file:line: what (value); accepted`.
type Error struct {
	File string
	Line int
	// What was wrong, the offending Value ("" for none), and what is Accepted.
	What, Value, Accepted string
}

// Error gives the line.
func (e *Error) Error() string {
	value := ""
	if e.Value != "" {
		value = " (" + shown(e.Value) + ")"
	}
	return fmt.Sprintf("%s:%d: %s%s; %s", e.File, e.Line, e.What, value, e.Accepted)
}

// shown makes a value printable within one line.
func shown(s string) string {
	const most = 60
	if r := []rune(s[:min(len(s), 4*most)]); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// wrong is an Error that does not yet know its place.
func wrong(what, value, accepted string, args ...any) error {
	if len(args) > 0 {
		accepted = fmt.Sprintf(accepted, args...)
	}
	return &Error{What: what, Value: value, Accepted: accepted}
}

// at gives an error of this package its place, if it has none.
func at(err error, file string, line int) error {
	if e := (*Error)(nil); errors.As(err, &e) && e.Line == 0 {
		e.File, e.Line = file, line
	}
	return err
}
