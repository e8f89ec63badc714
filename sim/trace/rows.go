package trace

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
)

var bom = []byte("\xef\xbb\xbf")

// mostLine bounds a line, and a conversation.
const mostLine = 4 << 20

// rows reads a file line by line.
type rows struct {
	in   *bufio.Scanner
	line int
}

func newRows(r io.Reader) *rows {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 1<<16), mostLine)
	return &rows{in: in}
}

// next is the next line that is not blank, until the call after it.
func (r *rows) next() ([]byte, error) {
	for r.in.Scan() {
		r.line++
		text := r.in.Bytes()
		if r.line == 1 {
			text = bytes.TrimPrefix(text, bom)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			return text, nil
		}
	}
	err := r.in.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		r.line++
		err = wrong("a line without end", "", "lines of at most %d MiB", mostLine>>20)
	}
	if err == nil {
		err = io.EOF
	}
	return nil, err
}

// fields splits a line of CSV. Quotes are left to the library; a quoted field
// does not go on in the next line.
func fields(line []byte, into []string) ([]string, error) {
	if bytes.IndexByte(line, '"') >= 0 {
		all, err := csv.NewReader(bytes.NewReader(line)).Read()
		if err != nil {
			return nil, wrong("not a row of CSV", string(line), "fields between commas, in whole quotes or without")
		}
		return append(into[:0], all...), nil
	}
	into = into[:0]
	for f := range strings.SplitSeq(string(line), ",") {
		into = append(into, strings.TrimSpace(f))
	}
	return into, nil
}
