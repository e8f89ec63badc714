// Package ngram drafts by looking up: where the last tokens of a text occurred
// before in it, what followed them then is the guess. It costs no device time
// and needs no model.
package ngram

import "github.com/tfsim/tfsim/device"

const (
	// least is the number of tokens that must match, most the number beyond
	// which a longer match says no more.
	least, most = 2, 6
	// looks bounds how many earlier places are tried.
	looks = 16
)

// confidence is what a match of so many tokens is worth, for each draft from
// the first. They are plain guesses: what drafts are really kept, a scheduler
// learns.
var confidence = [most + 1]float64{2: 0.35, 3: 0.5, 4: 0.6, 5: 0.68, 6: 0.75}

// Index is one text. The zero value is an empty one.
type Index struct {
	tokens []device.Token
	last   map[pair]int32 // where a pair of tokens ended last
	before []int32        // for each token, where its pair ended before that, or -1
}

type pair struct{ a, b device.Token }

// Len is the number of tokens in the text.
func (x *Index) Len() int { return len(x.tokens) }

// Append adds tokens to the text.
func (x *Index) Append(tokens ...device.Token) {
	if x.last == nil {
		x.last = make(map[pair]int32)
	}
	for _, t := range tokens {
		i := int32(len(x.tokens))
		x.tokens = append(x.tokens, t)
		x.before = append(x.before, -1)
		if i == 0 {
			continue
		}
		p := pair{x.tokens[i-1], t}
		if j, ok := x.last[p]; ok {
			x.before[i] = j
		}
		x.last[p] = i
	}
}

// Reset empties the text.
func (x *Index) Reset() {
	x.tokens, x.before = x.tokens[:0], x.before[:0]
	clear(x.last)
}

// Draft appends depth guesses at what follows the text. Where nothing matches
// they have no confidence.
func (x *Index) Draft(depth int, drafts []device.Draft) []device.Draft {
	at, length := x.match()
	if length < least {
		for range depth {
			drafts = append(drafts, device.Draft{})
		}
		return drafts
	}
	n := int32(len(x.tokens))
	c := confidence[length]
	for k := range int32(depth) {
		// A match that runs into the end of the text repeats itself.
		from := at + 1 + k%(n-1-at)
		drafts = append(drafts, device.Draft{Token: x.tokens[from], Confidence: max(c-0.04*float64(k), 0.05)})
	}
	return drafts
}

// match finds where the longest of the last tokens occurred before: the place
// of its last token, and how many match. Of equals it is the latest.
func (x *Index) match() (at int32, length int) {
	end := int32(len(x.tokens)) - 1
	if end < least {
		return 0, 0
	}
	tries := 0
	for i := x.before[end]; i >= 0 && tries < looks && length < most; i = x.before[i] {
		tries++
		n := least
		for n < most && i-int32(n) >= 0 && x.tokens[i-int32(n)] == x.tokens[end-int32(n)] {
			n++
		}
		if n > length {
			at, length = i, n
		}
	}
	return at, length
}
