package trace

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
)

// shareGPT reads conversations: a JSON array of them, or one after another.
// As in the usual benchmarks, a conversation is one request: its first
// question, with what a system message says before it, and the reply to that.
// Lengths are bytes of UTF-8 over a ratio.
type shareGPT struct {
	in    *marked
	dec   *json.Decoder
	ratio float64
	left  *leftOut
	// array says that there is a bracket around all, begun that it was read.
	array, begun bool
	n            int
}

// BytesPerToken is the usual ratio of text to tokens, for English and a large
// vocabulary.
const BytesPerToken = 4

func newShareGPT(r io.Reader, array bool, ratio float64, left *leftOut) source {
	if ratio == 0 {
		ratio = BytesPerToken
	}
	in := &marked{in: r}
	return &shareGPT{in: in, dec: json.NewDecoder(in), ratio: ratio, left: left, array: array}
}

// conversation is one element.
type conversation struct {
	Conversations *[]struct {
		From  string `json:"from"`
		Value string `json:"value"`
	} `json:"conversations"`
}

func (s *shareGPT) next(r *Request) error {
	for {
		var c conversation
		if err := s.read(&c); err != nil {
			return err
		}
		s.n++
		s.in.pass(s.dec.InputOffset())
		if c.Conversations == nil {
			return wrong("conversation "+strconv.Itoa(s.n)+" has no conversations", "", "a list of messages, each with from and value")
		}
		question, reply, ok := c.first()
		if !ok {
			s.left.out("conversations without a question and its reply")
			continue
		}
		r.Prompt, r.Output = s.tokens(question), s.tokens(reply)
		return nil
	}
}

// read takes the next element; io.EOF after the last.
func (s *shareGPT) read(c *conversation) error {
	if s.array && !s.begun {
		s.begun = true
		if _, err := s.dec.Token(); err != nil {
			return s.bad(err)
		}
	}
	if s.array && !s.dec.More() {
		if _, err := s.dec.Token(); err != nil {
			return s.bad(err)
		}
		if _, err := s.dec.Token(); !errors.Is(err, io.EOF) {
			return wrong("more after the end of the array", "", "one array of conversations")
		}
		return io.EOF
	}
	err := s.dec.Decode(c)
	if errors.Is(err, io.EOF) && !s.array {
		return io.EOF
	}
	return s.bad(err)
}

// bad makes an error of the library one of this package.
func (s *shareGPT) bad(err error) error {
	if err == nil {
		return nil
	}
	what := "conversation " + strconv.Itoa(s.n+1)
	offset := s.dec.InputOffset()
	if e := (*json.SyntaxError)(nil); errors.As(err, &e) {
		offset = max(offset, e.Offset)
		err = wrong(what+" is not JSON", err.Error(), "an array of conversations")
	}
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		err = mistyped(what+": ", e)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = wrong(what+" is cut short", "", "an array of conversations, to its end")
	}
	s.in.pass(offset)
	return err
}

// first is the first question and its reply.
func (c *conversation) first() (question, reply int, ok bool) {
	said := *c.Conversations
	for i, m := range said {
		question += len(m.Value)
		switch strings.ToLower(m.From) {
		case "human", "user":
			if i+1 == len(said) {
				return 0, 0, false
			}
			next := said[i+1]
			from := strings.ToLower(next.From)
			return question, len(next.Value), from != "human" && from != "user" && from != "system"
		case "system":
		default:
			return 0, 0, false
		}
	}
	return 0, 0, false
}

func (s *shareGPT) tokens(bytes int) int {
	return int(min(math.Ceil(float64(bytes)/s.ratio), mostTokens))
}

func (s *shareGPT) place() int { return s.in.line() }
