package remote

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// kind of a message: what a request asks, or how a reply ended.
type kind uint8

const (
	askHello kind = iota + 1
	askBegin
	askPiece
	askFinish
	askPass
	askVerify
	askRelease
	askSave
	askTokenize
	askStop

	replyOK
	replyError
	replyGoing // no reply yet: the work goes on
)

const headBytes = 13

// frame is a message being made: room for the head, then the body.
func frame(b []byte) []byte {
	var head [headBytes]byte
	return append(b[:0], head[:]...)
}

// send fills in the head and writes the message.
func send(w io.Writer, b []byte, call uint32, k kind) error {
	binary.LittleEndian.PutUint64(b, uint64(len(b)-headBytes))
	binary.LittleEndian.PutUint32(b[8:], call)
	b[12] = byte(k)
	_, err := w.Write(b)
	return err
}

// head reads the head of a message.
func readHead(r *bufio.Reader) (size uint64, call uint32, k kind, err error) {
	b, err := r.Peek(headBytes)
	if err != nil {
		return 0, 0, 0, err
	}
	size, call, k = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:]), kind(b[12])
	if size > 1<<40 || k < askHello || k > replyGoing {
		return 0, 0, 0, fmt.Errorf("remote: %d bytes of kind %d are no message", size, k)
	}
	_, err = r.Discard(headBytes)
	return size, call, k, err
}

// readBody reads a body into the buffer's room. It does not trust the size
// for more room at once than what has arrived.
func readBody(r *bufio.Reader, b []byte, size uint64) ([]byte, error) {
	const step = 16 << 20
	b = b[:0]
	for size > 0 {
		n := int(min(size, step))
		at := len(b)
		if cap(b)-at < n {
			b = append(b, make([]byte, n)...)
		}
		b = b[:at+n]
		if _, err := io.ReadFull(r, b[at:]); err != nil {
			return b[:at], err
		}
		size -= uint64(n)
	}
	return b, nil
}
