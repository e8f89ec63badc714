package settings

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A value is a read text. n is the integer, the index of a choice, 0 or 1 of
// a bool, or millionths of a fraction or number.
type value struct {
	text string
	n    int64
}

func (v value) on() bool { return v.n != 0 }

// errForm says that a text has none of the accepted forms.
var errForm = errors.New("another form")

// maxInt bounds integers that have no bound of their own.
const maxInt = math.MaxInt32

// A form is a kind of value with its bounds.
type form struct {
	kind     Kind
	accepted string
	options  []string
	parse    func(string) (value, error)
}

// define completes a setting with its form and its name.
func define(f form, s Setting) Setting {
	s.Kind, s.Accepted, s.Options, s.parse = f.kind, f.accepted, f.options, f.parse
	s.Name = s.Env
	if s.Name == "" {
		s.Name = "--" + s.Flag
	}
	return s
}

// read reads a text; set is false if it is blank.
func (s Setting) read(text string) (v value, set bool, err error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return value{}, false, nil
	}
	v, err = s.parse(trimmed)
	switch {
	case err == nil:
		return v, true, nil
	case errors.Is(err, errForm):
		err = fmt.Errorf("%s=%s: want %s", s.Name, quote(text), s.Accepted)
	default:
		err = fmt.Errorf("%s=%s: %w; want %s", s.Name, quote(text), err, s.Accepted)
	}
	return value{}, false, err
}

// quote quotes a text on one line and shortens a long one.
func quote(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		return strconv.Quote(string(r[:most])) + "..."
	}
	return strconv.Quote(text)
}

func boolean() form {
	return form{Bool, "0, 1, off, on, false or true", []string{"0", "1"}, parseBool}
}

func parseBool(text string) (value, error) {
	switch strings.ToLower(text) {
	case "0", "off", "false":
		return value{"0", 0}, nil
	case "1", "on", "true":
		return value{"1", 1}, nil
	}
	return value{}, errForm
}

// integer is an integer from low to high; note, if any, explains a value.
func integer(low, high int64, note string) form {
	accepted := fmt.Sprintf("an integer from %d to %d", low, high)
	switch {
	case low == math.MinInt32:
		accepted = "an integer"
	case high == maxInt:
		accepted = fmt.Sprintf("an integer of at least %d", low)
	}
	if note != "" {
		accepted += " (" + note + ")"
	}
	return form{kind: Int, accepted: accepted, parse: func(text string) (value, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < low || n > high {
			return value{}, errForm
		}
		return value{strconv.FormatInt(n, 10), n}, nil
	}}
}

// integerOr is an integer of at least 1, or a word that reads as 0.
func integerOr(word string) form {
	f := integer(1, maxInt, "")
	number := f.parse
	f.accepted += " or " + word
	f.parse = func(text string) (value, error) {
		if text == word {
			return value{word, 0}, nil
		}
		return number(text)
	}
	return f
}

// oneOf is one of the options, exactly.
func oneOf(options ...string) form {
	return form{Choice, list(options), options, func(text string) (value, error) {
		i := slices.Index(options, text)
		if i < 0 {
			return value{}, errForm
		}
		return value{text, int64(i)}, nil
	}}
}

// oneOfFold is one of the options, in any case.
func oneOfFold(options ...string) form {
	f := oneOf(options...)
	exact := f.parse
	f.parse = func(text string) (value, error) { return exact(strings.ToLower(text)) }
	return f
}

// modes is an integer from 0 to high that also reads as a bool.
func modes(high int64) form {
	f := integer(0, high, "off, on, false and true also read")
	number := f.parse
	f.parse = func(text string) (value, error) {
		if v, err := parseBool(text); err == nil {
			return v, nil
		}
		return number(text)
	}
	return f
}

// buckets are the rows to which a launch can be cut.
var buckets = []int64{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64}

func bucket() form {
	f := integer(1, 64, "")
	number := f.parse
	f.accepted = "1 to 8, 12, 16, 24, 32, 48 or 64"
	f.parse = func(text string) (value, error) {
		v, err := number(text)
		if err == nil && !slices.Contains(buckets, v.n) {
			err = errForm
		}
		return v, err
	}
	return f
}

// free is any text.
func free(accepted string) form {
	return form{kind: Text, accepted: accepted, parse: func(text string) (value, error) {
		return value{text: text}, nil
	}}
}

// list joins words as a sentence does.
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
