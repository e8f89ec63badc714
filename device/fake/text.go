package fake

import (
	"fmt"
	"strings"

	"math"

	"github.com/tfsim/tfsim/device"
)

// row appends a token's row to a slot: the hash of the text so far with the
// token and its position.
func (d *Device) row(slot int, t device.Token) {
	rows := d.rows[slot]
	h := uint64(0x1234)
	if n := len(rows); n > 0 {
		h = rows[n-1]
	}
	d.rows[slot] = append(rows, mix(h+uint64(t)*0x9e3779b97f4a7c15+uint64(len(rows))))
}

func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	x ^= x >> 31
	return x
}

// draw draws the token after rows.
func (d *Device) draw(rows []uint64, s device.Sampling) device.Token {
	h := rows[len(rows)-1]
	for t := range d.logits {
		d.logits[t] = float32(mix(h+uint64(t))>>40) * (7.0 / (1 << 24))
	}
	if d.options.Ends {
		d.logits[0]--
	} else {
		d.logits[0] = float32(math.Inf(-1))
	}
	return d.sampler.Draw(d.logits[:], s, len(rows))
}

// Pass drafts the true tokens, wrong at about one position in five.
func (d *Device) Pass(asks []device.Ask, drafts []device.Draft) ([]device.Draft, error) {
	d.worked = 0
	if err := d.books.Pass(asks); err != nil {
		return drafts, err
	}
	if err := d.call("pass"); err != nil {
		return drafts, err
	}
	d.work(Work{Call: "pass", Asks: asks})
	for _, a := range asks {
		s := d.books.Slot(a.Slot)
		start := len(d.rows[a.Slot])
		t := s.Pending()
		for range a.Depth {
			d.row(a.Slot, t)
			rows := d.rows[a.Slot]
			t = d.draw(rows, s.Sampling)
			h := mix(rows[len(rows)-1] ^ 0xd1b54a32d192ed03)
			confidence := 0.6 + 0.4*float64(h>>40)/(1<<24)
			if h%5 == 0 {
				t = t%(Vocabulary-1) + 1
				confidence *= 0.5
			}
			drafts = append(drafts, device.Draft{Token: t, Confidence: confidence})
		}
		d.rows[a.Slot] = d.rows[a.Slot][:start]
	}
	return drafts, nil
}

// Tokenize gives one token for each character; those without one are "?", but
// for NUL, which is refused.
func (d *Device) Tokenize(text string, _, _ bool) ([]device.Token, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, fmt.Errorf("%w: it holds a NUL character", device.ErrText)
	}
	tokens := make([]device.Token, 0, len(text))
	for _, r := range text {
		switch {
		case r == '\n':
			tokens = append(tokens, 1)
		case r >= ' ' && r <= '~':
			tokens = append(tokens, device.Token(r-' ')+2)
		default:
			tokens = append(tokens, '?'-' '+2)
		}
	}
	return tokens, nil
}

// AppendText appends the characters of tokens.
func (d *Device) AppendText(dst []byte, tokens ...device.Token) []byte {
	for _, t := range tokens {
		switch {
		case t == 1:
			dst = append(dst, '\n')
		case t > 1 && t < Vocabulary:
			dst = append(dst, byte(t-2)+' ')
		}
	}
	return dst
}
