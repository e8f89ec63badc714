package scenario

import (
	"fmt"
	"strings"
	"unicode"
)

// Pos is a place in a scenario file, both counted from 1. The zero Pos is the
// place of something that the file leaves to a default.
type Pos struct{ Line, Col int }

func (p Pos) before(q Pos) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col
}

// Error is what is wrong with a scenario file. Its text is one line,
// `file:line:col: what (value); accepted`.
type Error struct {
	File string
	Pos
	// What was wrong, the offending Value, and what is Accepted instead.
	What, Value, Accepted string
}

// Error gives the line.
func (e *Error) Error() string {
	at := (&File{Path: e.File}).At(e.Line, e.Col)
	return fmt.Sprintf("%s: %s (%s); %s", at, e.What, shown(e.Value), e.Accepted)
}

// shown makes a value printable within one line.
func shown(s string) string {
	const most = 60
	if s == "" {
		return "blank"
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return s
}

func joined(names []string) string { return strings.Join(names, ", ") }

// list joins accepted names for a person: one of them is meant.
func list(names []string) string { return listed(names, "or") }

func listed(names []string, word string) string {
	switch n := len(names); n {
	case 0:
		return "none"
	case 1:
		return names[0]
	default:
		return joined(names[:n-1]) + " " + word + " " + names[n-1]
	}
}
