package trace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tfsim/tfsim/core"
)

// Options of reading.
type Options struct {
	// Format is how the file is written; "" finds out.
	Format Format
	// BytesPerToken is the ratio by which texts have tokens; 0 is
	// BytesPerToken.
	BytesPerToken float64
}

// source reads the requests of one format, as they stand in the file.
type source interface {
	// next fills in the next request, which is zero but for CancelAt; io.EOF
	// after the last. Lengths may be 0.
	next(*Request) error
	// place is the line that next came to.
	place() int
}

// Trace is a file being read.
type Trace struct {
	// Format is the one that the file has.
	Format Format

	name   string
	source source
	order  order
	left   leftOut
	err    error       // of the source, io.EOF at its end
	given  core.Micros // the time of the last request given
	began  bool

	file *os.File
	read counted
	size int64
}

// Open opens a trace. It must be closed. The error is the file system's, or an
// *Error.
func Open(path string, o Options) (*Trace, error) {
	// Opening a pipe would wait for who writes it.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file; a trace is read anew for each arm", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	t, err := New(path, file, o)
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	t.file, t.size = file, info.Size()
	return t, nil
}

// New reads a trace from elsewhere; name starts its errors.
func New(name string, r io.Reader, o Options) (*Trace, error) {
	t := &Trace{Format: o.Format, name: name, read: counted{in: r}}
	in := bufio.NewReaderSize(&t.read, sniffed)
	if t.Format == "" {
		var err error
		if t.Format, err = detect(in); err != nil {
			return nil, at(err, name, 1)
		}
	}
	switch t.Format {
	case Azure:
		t.source = newAzure(newRows(in))
	case BurstGPT:
		t.source = newBurstGPT(newRows(in))
	case Mooncake:
		t.source = newMooncake(newRows(in))
	case ShareGPT:
		if head, _ := in.Peek(len(bom)); string(head) == string(bom) {
			_, _ = in.Discard(len(bom))
		}
		t.source = newShareGPT(in, array(in), o.BytesPerToken, &t.left)
	case Events:
		t.source = newEvents(newRows(in), &t.left)
	case Record:
		t.source = newRecording(newRows(in), &t.left)
	default:
		return nil, fmt.Errorf("unknown format %q of a trace; %s", t.Format, accepted())
	}
	return t, nil
}

// array says that the first sign is a bracket.
func array(in *bufio.Reader) bool {
	head, _ := in.Peek(sniffed)
	for _, b := range head {
		switch b {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return b == '['
	}
	return false
}

// Next fills in the next request, in order of time; io.EOF after the last. An
// error of the file is an *Error or the file system's, and stays.
func (t *Trace) Next(r *Request) error {
	for t.err == nil && t.order.len() <= window {
		t.err = t.fetch()
	}
	if t.err != nil && !errors.Is(t.err, io.EOF) {
		return t.err
	}
	if t.order.len() == 0 {
		return io.EOF
	}
	*r = t.order.pop()
	t.given, t.began = r.At, true
	return nil
}

// fetch reads one request of the source, and leaves out what is none.
func (t *Trace) fetch() error {
	r := Request{CancelAt: core.Never}
	if err := t.source.next(&r); err != nil {
		return at(err, t.name, max(t.source.place(), 1))
	}
	switch {
	case r.Prompt == 0:
		t.left.out("rows without a prompt, left out")
	case r.Output == 0:
		t.left.out("rows without a reply, such as failures, left out")
	case t.began && r.At < t.given:
		return at(wrong("a row out of order", fmt.Sprintf("%d µs too late", t.given-r.At),
			"times that do not go back over more than %d rows", window), t.name, t.source.place())
	default:
		t.order.push(r)
	}
	return nil
}

// Notes tell what of the file was left out, so far.
func (t *Trace) Notes() []string { return t.left.notes() }

// Part is how much of the file was read, 0 to 1.
func (t *Trace) Part() float64 {
	if t.size == 0 {
		return 0
	}
	return min(float64(t.read.n)/float64(t.size), 1)
}

// Close ends the reading.
func (t *Trace) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

// counted counts what is read.
type counted struct {
	in io.Reader
	n  int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}
