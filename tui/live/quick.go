package live

import (
	"unicode/utf8"

	"github.com/tfsim/tfsim/core"
	"github.com/tfsim/tfsim/sim/result"
)

// quick reads an event in the very form in which package result writes it:
// no blanks, whole numbers, plain strings. It is for floods; ok is false for
// any other form, which package result then reads or refuses.
func quick(text []byte, l *result.Line) (ok bool) {
	s := scanner{text: text}
	*l = result.Line{Event: core.Event{Slot: -1}}
	given := false
	s.want('{')
	for !s.bad {
		key := s.plain()
		s.want(':')
		e := &l.Event
		switch string(key) {
		case "at_us":
			e.At = core.Micros(s.whole())
		case "event":
			given = s.kind(&e.Kind)
		case "id":
			n := s.whole()
			s.bad = s.bad || n < 0
			e.ID = core.ID(n)
		case "request":
			l.Request = string(s.plain())
		case "slot":
			e.Slot = int(s.whole())
		case "from":
			e.From = int(s.whole())
		case "rows":
			e.Rows = int(s.whole())
		case "windows":
			e.Windows = int(s.whole())
		case "launches":
			e.Launches = int(s.whole())
		case "drafts":
			e.Drafts = int(s.whole())
		case "kept":
			e.Kept = int(s.whole())
		case "tokens":
			e.Tokens = int(s.whole())
		case "total":
			e.Total = int(s.whole())
		case "price_ns":
			e.Price = core.Nanos(s.whole())
		case "wall_us":
			e.Wall = core.Micros(s.whole())
		case "device_us":
			e.Device = core.Micros(s.whole())
		case "owed_us":
			e.Owed = core.Micros(s.whole())
		case "beside":
			e.Beside = s.yes()
		case "last":
			e.Last = s.yes()
		case "reason":
			e.Reason = string(s.plain())
		default:
			return false
		}
		if s.next() == '}' {
			return given && !s.bad && s.at == len(text)
		}
		s.at--
		s.want(',')
	}
	return false
}

// scanner reads parts of a line; bad is set where one has another form.
type scanner struct {
	text []byte
	at   int
	bad  bool
}

// next is the byte to come; it is taken.
func (s *scanner) next() byte {
	s.at++
	if s.at > len(s.text) {
		s.bad = true
		return 0
	}
	return s.text[s.at-1]
}

func (s *scanner) want(c byte) {
	if s.next() != c {
		s.bad = true
	}
}

// plain is a string without escapes.
func (s *scanner) plain() []byte {
	s.want('"')
	from := s.at
	for !s.bad {
		switch c := s.next(); {
		case c == '"':
			return s.text[from : s.at-1]
		case c < ' ' || c == '\\' || c >= utf8.RuneSelf:
			s.bad = true
		}
	}
	return nil
}

// whole is an integer of at most 18 digits.
func (s *scanner) whole() int64 {
	sign := int64(1)
	if s.at < len(s.text) && s.text[s.at] == '-' {
		sign = -1
		s.at++
	}
	from, n := s.at, int64(0)
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		n = 10*n + int64(s.text[s.at]-'0')
		s.at++
	}
	if digits := s.at - from; digits < 1 || digits > 18 || digits > 1 && s.text[from] == '0' {
		s.bad = true
	}
	return sign * n
}

// yes is the word true.
func (s *scanner) yes() bool {
	for _, c := range []byte("true") {
		s.want(c)
	}
	return true
}

func (s *scanner) kind(k *core.EventKind) bool {
	name := s.plain()
	for i := core.EventSubmitted; i <= core.EventWait; i++ {
		if i.String() == string(name) {
			*k = i
			return true
		}
	}
	s.bad = true
	return false
}
