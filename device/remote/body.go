package remote

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/tfsim/tfsim/device"
)

var errBody = errors.New("remote: message is malformed")

func putInt(b []byte, v int) []byte { return binary.AppendVarint(b, int64(v)) }

func putBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func putFloat(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

func putBytes(b, v []byte) []byte { return append(putInt(b, len(v)), v...) }

func putTokens(b []byte, tokens []device.Token) []byte {
	b = putInt(b, len(tokens))
	for _, t := range tokens {
		b = binary.AppendVarint(b, int64(t))
	}
	return b
}

func putSampling(b []byte, s device.Sampling) []byte {
	b = putFloat(b, s.Temperature)
	b = putInt(b, s.TopK)
	b = putFloat(b, s.TopP)
	b = putFloat(b, s.MinP)
	return binary.LittleEndian.AppendUint64(b, s.Seed)
}

// body is a message being read. After the first thing that is missing,
// everything is zero.
type body struct {
	b   []byte
	bad bool
}

func (r *body) int() int {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

// count is a number of things that take at least a byte each.
func (r *body) count() int {
	n := r.int()
	if n < 0 || n > len(r.b) {
		r.bad = true
		return 0
	}
	return n
}

func (r *body) bool() bool {
	v := r.take(1)
	return len(v) == 1 && v[0] == 1
}

func (r *body) uint64() uint64 {
	v := r.take(8)
	if len(v) < 8 {
		return 0
	}
	return binary.LittleEndian.Uint64(v)
}

func (r *body) float() float64 { return math.Float64frombits(r.uint64()) }

func (r *body) take(n int) []byte {
	if n > len(r.b) {
		r.bad = true
		return nil
	}
	v := r.b[:n:n]
	r.b = r.b[n:]
	return v
}

func (r *body) bytes() []byte { return r.take(r.count()) }

// token reads one that may not fit a token: it is then none.
func (r *body) token() device.Token {
	v := r.int()
	if v < math.MinInt32 || v > math.MaxInt32 {
		return device.NoToken
	}
	return device.Token(v)
}

func (r *body) tokens(to []device.Token) []device.Token {
	for range r.count() {
		to = append(to, r.token())
	}
	return to
}

func (r *body) sampling() device.Sampling {
	return device.Sampling{
		Temperature: r.float(), TopK: r.int(), TopP: r.float(), MinP: r.float(), Seed: r.uint64(),
	}
}

func (r *body) done() error {
	if r.bad || len(r.b) > 0 {
		return errBody
	}
	return nil
}
