// Package gguf reads the heads of GGUF files: which tensors they hold, of what
// shape and type. It reads no weights and loads no library.
package gguf

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// ErrFormat says that a file is no GGUF file that is understood.
var ErrFormat = errors.New("gguf: not a GGUF file")

// Type is how a tensor's numbers are kept.
type Type uint32

// The types that are not quantized.
const (
	F32  Type = 0
	F16  Type = 1
	F64  Type = 28
	BF16 Type = 30
)

// Quantized says that numbers are kept in blocks.
func (t Type) Quantized() bool {
	switch t {
	case F32, F16, F64, BF16:
		return false
	}
	return t < 24 || t > 27 // integers
}

// Tensor is one tensor.
type Tensor struct {
	Name  string
	Shape []uint64
	Type  Type
}

// Matrix says that it has more than one row and column.
func (t Tensor) Matrix() bool {
	return len(t.Shape) >= 2 && t.Shape[0] > 1 && t.Shape[1] > 1
}

// Head is what is known of a file.
type Head struct {
	Tensors []Tensor
	// Parts is the number of files that the model is split into.
	Parts int
}

// Open reads the head of a file.
func Open(file string) (Head, error) {
	f, err := os.Open(file)
	if err != nil {
		return Head{}, err
	}
	defer func() { _ = f.Close() }()
	return Read(f)
}

// Read reads the head of a model.
func Read(r io.Reader) (Head, error) {
	d := &decoder{r: bufio.NewReaderSize(r, 1<<20)}
	h := d.head()
	if d.err != nil {
		return Head{}, fmt.Errorf("%w: %w", ErrFormat, d.err)
	}
	return h, nil
}

// RowBytes is what a row of the cache takes: the keys and values of every
// layer, two bytes each. It is 0 for models whose layers do not say.
func (h Head) RowBytes() int64 {
	n := int64(0)
	for _, t := range h.Tensors {
		name, ok := strings.CutPrefix(t.Name, "blk.")
		if !ok || len(t.Shape) != 2 {
			continue
		}
		if _, part, _ := strings.Cut(name, "."); part == "attn_k.weight" || part == "attn_v.weight" {
			n += 2 * int64(t.Shape[1])
		}
	}
	return n
}

type decoder struct {
	r   *bufio.Reader
	err error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

func (d *decoder) number(bytes int) uint64 {
	var b [8]byte
	if d.err == nil {
		_, d.err = io.ReadFull(d.r, b[:bytes])
	}
	return binary.LittleEndian.Uint64(b[:])
}

func (d *decoder) skip(n uint64) {
	if d.err == nil && n > 1<<32 {
		d.fail("a value of %d bytes", n)
	}
	if d.err == nil {
		_, d.err = io.CopyN(io.Discard, d.r, int64(n))
	}
}

func (d *decoder) text() string {
	n := d.number(8)
	if n > 1<<16 {
		d.fail("a name of %d bytes", n)
	}
	if d.err != nil {
		return ""
	}
	b := make([]byte, n)
	_, d.err = io.ReadFull(d.r, b)
	return string(b)
}

func (d *decoder) head() (h Head) {
	if d.number(4) != 0x46554747 {
		d.fail("it does not begin with GGUF")
		return h
	}
	if v := d.number(4); v != 2 && v != 3 {
		d.fail("version %d", v)
	}
	tensors, values := d.number(8), d.number(8)
	if tensors > 1<<20 || values > 1<<20 {
		d.fail("%d tensors and %d values", tensors, values)
	}
	h.Parts = 1
	for i := uint64(0); i < values && d.err == nil; i++ {
		name := d.text()
		kind := d.number(4)
		if name == "split.count" && kind == 2 {
			h.Parts = int(d.number(2))
			continue
		}
		d.value(kind, 0)
	}
	for i := uint64(0); i < tensors && d.err == nil; i++ {
		t := Tensor{Name: d.text()}
		n := d.number(4)
		if n > 8 {
			d.fail("tensor %q of %d dimensions", t.Name, n)
			return h
		}
		for range n {
			t.Shape = append(t.Shape, d.number(8))
		}
		t.Type = Type(d.number(4))
		d.number(8) // where it is
		h.Tensors = append(h.Tensors, t)
	}
	return h
}

// sizes are those of the plain kinds of value.
var sizes = map[uint64]uint64{0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

// value skips a value.
func (d *decoder) value(kind uint64, depth int) {
	const text, array = 8, 9
	switch size, plain := sizes[kind]; {
	case plain:
		d.skip(size)
	case kind == text:
		d.skip(d.number(8))
	case kind == array && depth < 4:
		of, n := d.number(4), d.number(8)
		if size, plain := sizes[of]; plain && n < 1<<32 {
			d.skip(size * n)
			return
		}
		for i := uint64(0); i < n && d.err == nil; i++ {
			d.value(of, depth+1)
		}
	default:
		d.fail("a value of kind %d", kind)
	}
}
