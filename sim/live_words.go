package sim

import (
	"strings"

	"github.com/tfsim/tfsim/device"
	"github.com/tfsim/tfsim/sim/random"
)

// endToken ends a text. The tokens from 1 to 256 are single bytes; words and
// pairs of letters follow.
const endToken device.Token = 0

// endOf: one sentence in so many ends the text.
const endOf = 12

// kinds of words, in the order of a phrase: which kinds may follow which.
var grammar = [...]struct {
	words string
	next  []int
}{
	article:   {" the a each one every this that some another", []int{adjective, noun}},
	adjective: {" long short quick slow small large quiet busy warm cold plain early late whole open free steady simple fair", []int{noun}},
	noun: {" machine prompt reply round draft token lane window queue slot person model answer question river garden morning letter" +
		" road house story table light winter city number idea window box song child friend teacher", []int{verb, verb, verb, preposition, stop}},
	verb:        {" waits runs reads keeps gives takes makes finds holds shares passes turns follows meets opens starts counts writes", []int{article, article, preposition, adverb, stop}},
	adverb:      {" again slowly quickly often alone together twice always now then early", []int{preposition, conjunction, stop, stop}},
	preposition: {" of in on with beside before after under over between without for", []int{article}},
	conjunction: {" and but while because so until when", []int{article}},
	stop:        {".", []int{article}},
}

const (
	article = iota
	adjective
	noun
	verb
	adverb
	preposition
	conjunction
	stop
)

// Words is a vocabulary whose texts read as words. It has every byte, so that
// any text has tokens, about four characters to one in English.
type Words struct {
	texts []string
	ids   map[string]device.Token
	// kind is that of each token, -1 for those of no kind; kinds are the
	// tokens of each.
	kind    []int8
	kinds   [len(grammar)][]device.Token
	longest int
}

// common words that prompts have and replies do not.
const common = " is are was were be been to it he she they we you i not no yes have has had do does did can could will would should may might must" +
	" as at by from about into if than there their them his her our your my me who what which how why where all any more most other new" +
	" first last good great time year day work way life hand part place case week company system program government write please explain tell" +
	" summarize list describe code function return data text file line user server speed test value name"

// NewWords builds the vocabulary.
func NewWords() *Words {
	w := &Words{ids: make(map[string]device.Token)}
	w.add("", -1)
	for b := range 256 {
		w.add(string([]byte{byte(b)}), -1)
	}
	for k, g := range grammar {
		for _, word := range split(g.words) {
			if _, again := w.ids[word]; !again || k == stop {
				t := w.add(word, k)
				w.kinds[k] = append(w.kinds[k], t)
			}
		}
	}
	for _, word := range split(common) {
		if _, again := w.ids[word]; !again {
			w.add(word, -1)
		}
	}
	for a := 'a'; a <= 'z'; a++ {
		w.add(" "+string(a), -1)
		for b := 'a'; b <= 'z'; b++ {
			w.add(string(a)+string(b), -1)
		}
	}
	return w
}

// split gives the words of a list, each with the blank before it.
func split(list string) []string {
	if !strings.HasPrefix(list, " ") {
		return []string{list}
	}
	words := strings.Fields(list)
	for i := range words {
		words[i] = " " + words[i]
	}
	return words
}

func (w *Words) add(text string, kind int) device.Token {
	t := device.Token(len(w.texts))
	w.texts = append(w.texts, text)
	w.kind = append(w.kind, int8(kind))
	if text != "" {
		w.ids[text] = t
	}
	w.longest = max(w.longest, len(text))
	return t
}

// Len is the number of tokens.
func (w *Words) Len() int { return len(w.texts) }

// Tokenize takes the longest token again and again.
func (w *Words) Tokenize(text string) []device.Token {
	tokens := make([]device.Token, 0, len(text)/3+1)
	for len(text) > 0 {
		for n := min(w.longest, len(text)); n > 0; n-- {
			if t, ok := w.ids[text[:n]]; ok {
				tokens = append(tokens, t)
				text = text[n:]
				break
			}
		}
	}
	return tokens
}

// AppendText appends the text of tokens; the end has none.
func (w *Words) AppendText(dst []byte, tokens ...device.Token) []byte {
	for _, t := range tokens {
		if t >= 0 && int(t) < len(w.texts) {
			dst = append(dst, w.texts[t]...)
		}
	}
	return dst
}

// history is a text so far: all of it decides what follows.
type history struct {
	hash uint64
	rows uint64
	last device.Token
}

func (h *history) add(t device.Token) {
	h.hash = random.Stream(h.hash).Bits(uint64(t)<<32 | h.rows)
	h.rows++
	h.last = t
}

// Next is the token after a text: a word of a kind that may follow the last
// one. Greedy draws depend on the text alone, others on their seed as well.
func (w *Words) Next(h history, s device.Sampling) device.Token {
	x := random.Stream(h.hash)
	if !s.Greedy() {
		x = x.Sub(s.Seed)
	}
	kind := -1
	if h.last >= 0 && int(h.last) < len(w.kind) {
		kind = int(w.kind[h.last])
	}
	next := article
	switch {
	case kind == stop && x.Bits(0)%endOf == 0:
		return endToken
	case kind >= 0:
		may := grammar[kind].next
		next = may[x.Bits(1)%uint64(len(may))]
	}
	words := w.kinds[next]
	return words[x.Bits(2)%uint64(len(words))]
}
