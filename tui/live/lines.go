package live

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/tfsim/tfsim/sim/result"
)

// longest is the most bytes of a line; longer ones are unreadable.
const longest = 1 << 16

// lines reads the events of a stream, whatever the transport wraps around
// them.
type lines struct {
	in *bufio.Reader
	// id is the last number that the server gave; numbered is told of each.
	id       string
	numbered func(id string)
}

func newLines(r io.Reader, numbered func(id string)) *lines {
	return &lines{in: bufio.NewReaderSize(r, longest), numbered: numbered}
}

// read hands every event to fn until the reader ends, and tells bad of each
// line that is none. The error is never nil.
func (l *lines) read(fn func(*result.Line), bad func()) error {
	for {
		text, err := l.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = l.in.ReadSlice('\n')
			}
			bad()
		} else if text = l.unwrap(bytes.TrimSpace(text)); len(text) > 0 && !one(text, fn) {
			bad()
		}
		if err != nil {
			return err
		}
	}
}

// unwrap gives the JSON of a line; of comments and fields other than data
// nothing is left.
func (l *lines) unwrap(text []byte) []byte {
	switch {
	case len(text) == 0 || text[0] == '{':
		return text
	case text[0] == ':':
		return nil
	}
	field, value, _ := bytes.Cut(text, []byte(":"))
	value = bytes.TrimSpace(value)
	switch string(field) {
	case "data":
		return value
	case "id":
		l.id = string(value)
		l.numbered(l.id)
		return nil
	case "event", "retry":
		return nil
	}
	return text // no event: it is counted
}

// one hands the event of a line to fn; ok is false where it is none. The head
// of a run is passed over.
func one(text []byte, fn func(*result.Line)) (ok bool) {
	var line result.Line
	if quick(text, &line) {
		fn(&line)
		return true
	}
	return result.ReadJSONL(bytes.NewReader(text), func(line *result.Line) error {
		fn(line)
		return nil
	}) == nil
}
