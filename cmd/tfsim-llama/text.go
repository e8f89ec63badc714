package main

import (
	"fmt"
	"strings"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/tfsim/tfsim/device"
)

// Tokenize may run beside a decode: the vocabulary never changes.
func (d *llamaDevice) Tokenize(text string, begin, special bool) ([]device.Token, error) {
	const most = 64 << 20
	if len(text) > most {
		return nil, fmt.Errorf("%w: %d bytes; at most %d", device.ErrText, len(text), most)
	}
	if strings.IndexByte(text, 0) >= 0 {
		return nil, fmt.Errorf("%w: it holds a NUL character", device.ErrText)
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if text == "" && !begin {
		return nil, nil
	}
	ids := llama.Tokenize(d.target.vocab, text, begin, special)
	tokens := make([]device.Token, len(ids))
	for i, t := range ids {
		tokens[i] = device.Token(t)
	}
	return tokens, nil
}

func (d *llamaDevice) AppendText(dst []byte, tokens ...device.Token) []byte {
	var room [256]byte
	for _, t := range tokens {
		b := room[:]
		n := llama.TokenToPiece(d.target.vocab, llama.Token(t), b, 0, false)
		if n < 0 {
			b = make([]byte, -n)
			n = llama.TokenToPiece(d.target.vocab, llama.Token(t), b, 0, false)
		}
		if n > 0 {
			dst = append(dst, b[:n]...)
		}
	}
	return dst
}
