package trace

import (
	"bytes"
	"io"
)

// marked knows the line of a place that its reader has come to, although the
// reader reads ahead. It bounds how far.
type marked struct {
	in io.Reader
	// read and passed are offsets, lines the line breaks before passed, and
	// ahead those between the two.
	read, passed int64
	lines        int
	ahead        []int64
}

func (m *marked) Read(p []byte) (int, error) {
	if m.read-m.passed > mostLine {
		return 0, wrong("a conversation without end", "", "at most %d MiB each", mostLine>>20)
	}
	n, err := m.in.Read(p)
	for at := 0; ; {
		i := bytes.IndexByte(p[at:n], '\n')
		if i < 0 {
			break
		}
		m.ahead = append(m.ahead, m.read+int64(at+i))
		at += i + 1
	}
	m.read += int64(n)
	return n, err
}

// pass says that all before an offset is dealt with.
func (m *marked) pass(offset int64) {
	n := 0
	for n < len(m.ahead) && m.ahead[n] < offset {
		n++
	}
	m.lines += n
	m.ahead = append(m.ahead[:0], m.ahead[n:]...)
	m.passed = offset
}

// line is the one of the place passed.
func (m *marked) line() int { return m.lines + 1 }
