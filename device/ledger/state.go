package ledger

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/fnv"

	"github.com/tfsim/tfsim/device"
)

// A state is this head, the tokens, the length and bytes of each part, and a
// checksum of all of it.
const head = "tfsim state 1\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func hash(key string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(key))
	return h.Sum64()
}

// Seal makes a state of the rows of tokens and what the device holds of them.
func Seal(key string, tokens []device.Token, parts ...[]byte) []byte {
	size := len(head) + 8 + 4 + 4*len(tokens) + 4 + 4
	for _, p := range parts {
		size += 8 + len(p)
	}
	b := make([]byte, 0, size)
	b = append(b, head...)
	b = binary.LittleEndian.AppendUint64(b, hash(key))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(tokens)))
	for _, t := range tokens {
		b = binary.LittleEndian.AppendUint32(b, uint32(t))
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(parts)))
	for _, p := range parts {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(p)))
		b = append(b, p...)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// Open gives the tokens and parts of a state; the parts are slices of it.
func Open(key string, state []byte) (tokens []device.Token, parts [][]byte, err error) {
	bad := func(what string) ([]device.Token, [][]byte, error) {
		return nil, nil, fmt.Errorf("%w: %s", device.ErrState, what)
	}
	n := len(state) - 4
	if n < len(head) || !bytes.HasPrefix(state, []byte(head)) {
		return bad("no head")
	}
	if crc32.Checksum(state[:n], castagnoli) != binary.LittleEndian.Uint32(state[n:]) {
		return bad("checksum differs")
	}
	rest := state[len(head):n]
	take := func(k uint64) []byte {
		if uint64(len(rest)) < k {
			rest = nil
			return nil
		}
		b := rest[:k]
		rest = rest[k:]
		return b
	}
	if b := take(8); b == nil || binary.LittleEndian.Uint64(b) != hash(key) {
		return bad("it is of another device or weights")
	}
	b := take(4)
	if b == nil {
		return bad("cut short")
	}
	count := binary.LittleEndian.Uint32(b)
	if b = take(4 * uint64(count)); b == nil || count == 0 {
		return bad("no tokens")
	}
	tokens = make([]device.Token, count)
	for i := range tokens {
		tokens[i] = device.Token(binary.LittleEndian.Uint32(b[4*i:]))
	}
	if b = take(4); b == nil {
		return bad("cut short")
	}
	for range binary.LittleEndian.Uint32(b) {
		if b = take(8); b == nil {
			return bad("cut short")
		}
		size := binary.LittleEndian.Uint64(b)
		part := take(size)
		if part == nil && size > 0 {
			return bad("cut short")
		}
		parts = append(parts, part)
	}
	return tokens, parts, nil
}
