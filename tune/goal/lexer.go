package goal

import (
	"strings"
	"unicode"
)

// lexer cuts an expression into tokens.
type lexer struct {
	text []rune
	at   int
}

// kind of a token.
type kind uint8

const (
	end kind = iota
	word
	number
	quoted
	sign
)

type token struct {
	kind kind
	text string // without quotes
	col  int
}

// shown is the token as it stands in the expression.
func (t token) shown() string {
	if t.kind == quoted {
		return "'" + t.text + "'"
	}
	return t.text
}

func newLexer(text string) *lexer { return &lexer{text: []rune(text)} }

func (l *lexer) space() {
	for l.at < len(l.text) && unicode.IsSpace(l.text[l.at]) {
		l.at++
	}
}

// next gives the next token; at the end it gives end for ever.
func (l *lexer) next() (token, error) {
	l.space()
	from := l.at
	t := token{col: from + 1}
	if from == len(l.text) {
		return t, nil
	}
	r := l.text[from]
	switch {
	case r == '\'' || r == '"':
		return l.quote(r)
	case wordRune(r) && !digit(r):
		t.kind, t.text = word, l.while(wordRune)
	case digit(r) || r == '.' || r == '-' || r == '+':
		t.kind, t.text = number, l.number()
	case r == '<' || r == '>':
		t.kind, l.at = sign, from+1
		if l.at < len(l.text) && l.text[l.at] == '=' {
			l.at++
		}
		t.text = string(l.text[from:l.at])
	default:
		t.kind, t.text, l.at = sign, string(r), from+1
	}
	return t, nil
}

func (l *lexer) quote(mark rune) (token, error) {
	from := l.at
	for to := from + 1; to < len(l.text); to++ {
		if l.text[to] == mark {
			l.at = to + 1
			return token{quoted, string(l.text[from+1 : to]), from + 1}, nil
		}
	}
	return token{}, &Error{from + 1, string(l.text[from:]), "a closing " + string(mark)}
}

// until takes the raw text up to a rune, which it leaves.
func (l *lexer) until(stop rune) string {
	return strings.TrimSpace(l.while(func(r rune) bool { return r != stop }))
}

func (l *lexer) while(in func(rune) bool) string {
	from := l.at
	for l.at < len(l.text) && in(l.text[l.at]) {
		l.at++
	}
	return string(l.text[from:l.at])
}

// number takes a sign, digits, a point and an exponent; the parser judges it.
func (l *lexer) number() string {
	from := l.at
	before := rune(0)
	l.while(func(r rune) bool {
		in := digit(r) || r == '.' || r == 'e' || r == 'E' ||
			(r == '-' || r == '+') && (before == 0 || before == 'e' || before == 'E')
		before = r
		return in
	})
	return string(l.text[from:l.at])
}

func digit(r rune) bool { return r >= '0' && r <= '9' }

func wordRune(r rune) bool {
	return r == '_' || r == '.' || digit(r) || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
